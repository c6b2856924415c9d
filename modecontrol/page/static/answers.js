// What the torque does: the verdict, every mode with accelerations and forces, and the best guaranteed torque.

import { h, replace } from "./dom.js";
import { letters } from "./modes.js";
import { isUnique, range, short } from "./numbers.js";

const MOST = 24;                                            // modes at one torque that get a button each
const WORDS = {
  unique: "One answer", border: "One motion, on the border of several modes",
  ambiguous: "Ambiguous: several motions", inconsistent: "No answer: no contact mode explains this torque",
};

export function answersPanel(root, describe, choose) {
  const verdict = h("p", { class: "mc-verdict-word", "aria-live": "polite" });
  const over = h("p", { class: "mc-over" });
  const tabs = h("div", { class: "mc-tabs", role: "tablist", "aria-label": "Modes at this torque" });
  const tables = h("div", { class: "mc-tables" });
  root.append(verdict, over, tabs, tables);
  const names = describe.contacts.map(({ name }) => name);
  const unit = Object.fromEntries(describe.coordinates.map(({ name, unit: u }) => [name, u === "rad" ? "rad/s²" : u === "m" ? "m/s²" : ""]));

  function draw(at, chosen) {
    verdict.className = `mc-verdict-word mc-is-${at ? at.verdict : "none"}`;
    verdict.textContent = at ? wordOf(at) : "";
    over.textContent = at && at.over ? `Over the intervals of friction: ${at.over.join(", ") || "none"}` : "";
    const modes = at ? at.modes : [];
    const listed = modes.slice(0, MOST);
    replace(tabs, modes.length < 2 ? [] : listed.map(({ mode }) => h("button", { type: "button", role: "tab", "aria-selected": String(mode === chosen),
      class: mode === chosen ? "mc-tab mc-on" : "mc-tab", onclick: () => choose(mode) }, letters(mode, names))),
    modes.length > MOST ? h("span", { class: "mc-more", text: `and ${modes.length - MOST} more, marked in the list of contact modes` }) : null);
    const answer = modes.find(({ mode }) => mode === chosen) || modes[0];
    replace(tables, answer ? tableOf(answer) : []);
  }

  function tableOf(answer) {
    const accelerations = Object.entries(answer.accelerations).map(([name, pair]) => cells(name, pair, unit[name]));
    const of = (name) => [answer.forces[`${name}.normal`], answer.forces[`${name}.tangent`]];
    const touching = describe.contacts.filter(({ kind }) => kind === "contact");
    const forces = touching.map(({ name }) => h("tr", {}, h("th", { scope: "row", text: name }), of(name).map(value)));
    const loads = describe.contacts.filter(({ kind }) => kind !== "contact").map(({ name, forces: [normal, tangent], unit: u }) =>
      cells(normal || tangent, of(name)[normal ? 0 : 1], u));
    return [
      h("p", { class: "mc-answer" }, letters(answer.mode, names), h("span", { text: ` ${uniqueness(answer)}` })),
      h("table", { class: "mc-table" }, h("caption", { text: "accelerations" }), h("tbody", {}, accelerations)),
      forces.length ? h("table", { class: "mc-table" }, h("caption", { text: "contact forces (N)" }),
        h("thead", {}, h("tr", {}, h("th", { text: "" }), h("th", { scope: "col", text: "normal" }), h("th", { scope: "col", text: "tangent" }))), h("tbody", {}, forces)) : null,
      loads.length ? h("table", { class: "mc-table" }, h("caption", { text: loadsWord(describe.contacts) }), h("tbody", {}, loads)) : null,
    ];
  }
  // One mode is one answer when its motion is unique.
  function wordOf(at) {
    const open = at.verdict === "unique" && Object.values(at.modes[0].accelerations).some((pair) => !isUnique(pair));
    verdict.classList.toggle("mc-is-ambiguous", open || at.verdict === "ambiguous");
    return open ? "One mode, many motions" : WORDS[at.verdict];
  }
  // What the mode leaves open at this torque, in words.
  function uniqueness(answer) {
    const open = (table) => Object.values(table).some((pair) => !isUnique(pair));
    if (open(answer.accelerations)) return "its motion is not unique";
    return open(answer.forces) ? "its motion is unique, its forces are not" : "its motion and forces are unique";
  }
  const value = (pair) => h("td", { class: isUnique(pair) ? null : "mc-spread", text: range(pair) });
  const cells = (name, pair, u) => h("tr", {}, h("th", { scope: "row", text: name }), value(pair), h("td", { class: "mc-unit", text: u }));
  return { draw };
}

// What else than contacts carries load here, in words.
function loadsWord(contacts) {
  const words = { stop: "stops", dry: "dry joints", cable: "cables", drive: "prescribed joints" };
  const found = Object.keys(words).filter((kind) => contacts.some((contact) => contact.kind === kind)).map((kind) => words[kind]);
  return found.length > 1 ? `${found.slice(0, -1).join(", ")} and ${found[found.length - 1]}` : found[0];
}

// A search that was given up: mechanisms of many modes need more than a page can wait for.
const searching = (best) => (best.last ? "No guaranteed torque within the patience of a page; the code of \"Copy as Python\" searches to the end."
  : "Not found yet: with this many modes the search takes longer than a moving page can wait.");

export function bestPanel(root, describe, go, longer) {
  const said = h("div", { class: "mc-best" });
  root.append(said);
  const names = describe.contacts.map(({ name }) => name);

  function draw(best, objective, interval) {
    if (!best) return replace(said);
    if (!best.torque) {
      const hoped = best.hoped && best.hoped.mode && best.hoped.value !== null ? h("p", {}, "Hoped for, not guaranteed: ", letters(best.hoped.mode, names), ` ${short(best.hoped.value)}`) : null;
      if (best.stopped) return replace(said, h("p", { text: searching(best) }), hoped, describe.file || best.last ? null : h("button", { type: "button", text: "Search longer", onclick: longer }));
      const limits = /give torque limits/.test(best.reason) && !describe.file ? h("p", { class: "mc-caption" }, "The inputs have no limits here. Open the page with them: ", h("code", { text: "--limits" }), " in a terminal, ", h("code", { text: "torque_limits" }), " in Python.") : null;
      return replace(said, h("p", { text: `None: ${best.reason}.` }), limits, hoped);
    }
    const unit = (describe.objectives.find(({ text }) => text === objective) || {}).unit || "";
    return replace(said,
      h("p", {}, letters(best.mode, names), h("strong", { text: ` ${short(best.value, 5)} ${unit}` })),
      h("p", { class: "mc-torque", text: describe.inputs.map(({ name, unit: u }, i) => `${name} = ${short(best.torque[i])}${u ? ` ${u}` : ""}`).join(", ") }),
      h("p", { text: best.active.length ? `limited by ${best.active.join(", ")}` : "nothing limits it" }),
      best.surely === undefined ? null : h("p", { class: best.surely ? "mc-good" : "mc-bad",
        text: best.surely ? (interval && interval.proven ? "holds for every friction in the intervals" : "holds at the ends of the friction intervals")
          : "best at the friction shown; it does not hold over the intervals" }),
      h("button", { type: "button", text: "Go there", onclick: () => go(best.torque) }));
  }
  return { draw };
}
