// Laws of contact in the picture: cables, stops, moving surfaces, cones of friction, and what loads each entry carries.

import { arrow, path } from "./arrows.js";
import { s } from "./dom.js";
import { isUnique, short } from "./numbers.js";

const CONE = 0.11;                                          // length of a cone and the most that adhesion moves it, in parts of the picture
const DEEPEST = 0.15;
export const isContact = (contact) => !contact.ends && !contact.senses;

// Cables from end to end, bars at the stops of joints, arrows along surfaces that move.
export function lawMarks(scene, size, unit, open) {
  return s("g", { class: "mc-laws" }, scene.contacts.map((contact) => {
    if (contact.ends) {
      const tied = contact.ends.map(([x, y]) => s("circle", { class: "mc-joint", cx: x, cy: -y, r: 0.6 * unit, "stroke-width": 0.3 * unit }));
      return [tied, s("path", { class: "mc-cable", d: path(contact.ends, false), "stroke-width": 0.5 * unit, "stroke-dasharray": contact.gap > open * size ? `${1.6 * unit} ${1.2 * unit}` : null })];
    }
    if (contact.bars) return contact.bars.map((bar) => stopBar(bar, contact.axis, size, unit));
    return contact.speed && !contact.nothing ? belt(contact, size, unit) : null;
  }));
}

function stopBar({ at, along, touches }, axis, size, unit) {
  const [first, last] = axis ? [-0.05, 0.05] : [0.03, 0.09];
  const ends = [first, last].map((part) => [0, 1].map((k) => at[k] + part * size * along[k]));
  return s("path", { class: touches ? "mc-stop mc-touched" : "mc-stop", d: path(ends, false), "stroke-width": 0.9 * unit }, s("title", { text: "a stop of the joint" }));
}

function belt({ at, t, n, gap, speed }, size, unit) {
  const way = Math.sign(speed);
  const foot = [0, 1].map((k) => at[k] - (gap + 0.025 * size) * n[k]);
  const end = (sign) => [0, 1].map((k) => foot[k] + sign * 0.07 * size * way * t[k]);
  return s("g", { class: "mc-belt" }, s("title", { text: `the surface moves at ${short(Math.abs(speed))} m/s` }), arrow(end(-1), end(1), unit, 0.7));
}

// The cone of forces that a closed contact can carry: from behind the surface where it adheres, open to one side where
// a claw holds, with a second outline where sticking holds more than sliding.
export function cone(contact, size, unit, letter, metresPerNewton) {
  const slopes = { low: -contact.mu, high: contact.mu };
  const depth = contact.pull ? Math.min(DEEPEST * size, contact.pull * metresPerNewton || 0.04 * size) : 0;
  const apex = [0, 1].map((k) => contact.at[k] - depth * contact.n[k]);
  const length = CONE * size + depth;
  const along = (x, y) => [0, 1].map((k) => apex[k] + (length / Math.hypot(x, y)) * (y * contact.n[k] + x * contact.t[k]));
  const tip = (slope) => along(slope, 1);
  const corners = contact.way ? [along(contact.way, 0), along(contact.way, 1), tip(contact.way > 0 ? slopes.low : slopes.high)] : [tip(slopes.high), tip(slopes.low)];
  const words = [`friction cone, μ = ${short(contact.mu)}`];
  if (contact.hold) words.push(`${short(contact.hold)} while it sticks (dashed)`);
  if (contact.pull) words.push(`it adheres by ${short(contact.pull)} N, so the cone begins behind the surface`);
  if (contact.way) words.push(`a claw: it slides ${contact.way > 0 ? "right" : "left"} only`);
  const shape = s("path", { d: path([apex, ...corners]), class: `mc-letter-${letter}` }, s("title", { text: words.join("; ") }));
  const wider = contact.hold ? s("path", { class: "mc-hold", d: path([tip(contact.hold), apex, tip(-contact.hold)], false), "stroke-width": 0.35 * unit, "stroke-dasharray": `${1.2 * unit} ${0.8 * unit}` }) : null;
  return [shape, wider];
}

// What every entry carries in an answer: arrows at places (N), or a torque about its joint (N m); `open` where it is one choice among many.
export function loads(scene, answer) {
  const values = answer.drawn.forces;
  const ranges = Object.values(answer.forces);
  const found = scene.contacts.map((contact, i) => {
    const [normal, tangent] = [values[2 * i], values[2 * i + 1]];
    const open = !isUnique(ranges[2 * i]) || !isUnique(ranges[2 * i + 1]);
    if (contact.ends) return { arrows: pulls(contact.ends, normal), torque: 0, open };
    if (!contact.senses) return { arrows: [{ at: contact.at, f: [0, 1].map((k) => normal * contact.n[k] + tangent * contact.t[k]) }], torque: 0, open };
    const load = normal * contact.senses[0] + tangent * contact.senses[1];
    if (contact.axis) return { arrows: [{ at: contact.at, f: contact.axis.map((x) => load * x) }], torque: 0, open };
    return { arrows: [], torque: load, open };
  });
  return {
    all: found,
    largest: Math.max(0, ...found.flatMap(({ arrows }) => arrows.map(({ f }) => Math.hypot(...f)))),
    strongest: Math.max(0, ...found.map(({ torque }) => Math.abs(torque))),
  };
}

// A cable pulls its ends together.
function pulls([here, there], tension) {
  const length = Math.hypot(there[0] - here[0], there[1] - here[1]) || 1;
  const f = [0, 1].map((k) => (tension * (there[k] - here[k])) / length);
  return [{ at: here, f }, { at: there, f: f.map((x) => -x) }];
}
