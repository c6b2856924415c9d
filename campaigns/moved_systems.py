"""The same instant written down otherwise: places changed, a far contact added, a rule repeated."""

import re
from dataclasses import dataclass, replace

import numpy as np


@dataclass
class Way:
    """What became of contacts, inputs and coordinates: place `i` now is what was at `contacts[i]`, and so on."""

    word: str
    contacts: list
    inputs_at: list
    coordinates: list
    added: str = ""

    def mode(self, mode):
        return "".join(mode[i] for i in self.contacts) + self.added

    def inputs(self, tau):
        return np.asarray(tau)[self.inputs_at]

    def goal(self, text):
        """Names follow their things."""
        places = {"q": self.coordinates, "tau": self.inputs_at, "c": self.contacts}

        def rename(found):
            kind, number = found.group(1), int(found.group(2)) - 1
            return f"{kind}{list(places[kind]).index(number) + 1}"

        return re.sub(r"\b(tau|q|c)(\d+)", rename, text)


def moved(made, rng):
    """`(case, Way)`: one change at random."""
    s = made.s
    n, t, k = len(s["bias"]), len(made.box), len(s["friction"])
    way = Way("", list(range(k)), list(range(t)), list(range(n)))
    word = str(rng.choice(["contacts", "inputs", "coordinates", "far contact", "rule"]))
    way.word = word
    s = dict(s)
    box, physical = list(made.box), made.physical
    if word == "contacts":
        way.contacts = rng.permutation(k).tolist()
        pairs = np.array([[2 * i, 2 * i + 1] for i in way.contacts], int).ravel()
        for name in ("jacobian", "drift", "velocity"):
            s[name] = s[name][pairs]
        for name in ("friction", "gap"):
            s[name] = s[name][way.contacts]
    elif word == "inputs":
        way.inputs_at = rng.permutation(t).tolist()
        s["actuation"] = s["actuation"][:, way.inputs_at]
        box = [box[j] for j in way.inputs_at]
    elif word == "coordinates":
        p = way.coordinates = rng.permutation(n).tolist()
        s["mass"], s["bias"], s["actuation"] = s["mass"][np.ix_(p, p)], s["bias"][p], s["actuation"][p]
        s["jacobian"], s["loop_jacobian"] = s["jacobian"][:, p], s["loop_jacobian"][:, p]
    elif word == "far contact":
        way.added = "S"
        s["jacobian"] = np.vstack([s["jacobian"], rng.normal(size=(2, n))])
        s["drift"], s["velocity"] = np.append(s["drift"], [0.3, -2.0]), np.append(s["velocity"], [-1.0, 3.0])
        s["friction"], s["gap"] = np.append(s["friction"], 0.7), np.append(s["gap"], 5.0)
    else:
        physical = (*physical, *physical, "tau1 <= 8")
    changed = replace(made, s=s, box=box)
    changed.physical = tuple(way.goal(rule) for rule in physical)
    changed.task = tuple(way.goal(rule) for rule in made.task)
    return changed, way
