// The list of modes, and the explanation of one: what bounds it, or why it cannot happen.

import { h, replace } from "./dom.js";
import { readable } from "./theme.js";

const MOST = 120;

// A mode as a row of letters, each in its colour.
export function letters(mode, names) {
  return h("span", { class: "mc-letters", "aria-label": mode || "no contacts" }, [...mode].map((letter, i) =>
    h("span", { class: `mc-chip mc-letter-${letter}`, text: letter, title: names ? `${names[i]}: ${letter}` : letter, "aria-hidden": "true" })),
  mode ? null : h("span", { text: "no contacts" }));
}

export function modesPanel(root, describe, { highlight, explain }) {
  const names = describe.contacts.map(({ name }) => name);
  const head = h("p", { class: "mc-count", "aria-live": "polite" });
  const filter = h("input", { type: "search", class: "mc-filter", placeholder: "filter, such as R F", "aria-label": "Filter modes: letters, a dot for any" });
  const list = h("ul", { class: "mc-modes" });
  const pickers = describe.contacts.map(({ name, letters: own }) => h("select", { "aria-label": `letter of ${name}`, title: name },
    [...own].map((letter) => h("option", { value: letter, text: letter }))));
  const asked = () => pickers.map((picker) => picker.value).join("");
  const button = h("button", { type: "button", text: "Explain", onclick: () => explain(asked()) });
  const said = h("div", { class: "mc-said", "aria-live": "polite" });
  root.append(head, filter, list, names.length
    ? h("div", { class: "mc-ask" }, h("span", { text: "Why, or why not" }), h("span", { class: "mc-pickers" }, pickers), button) : "", said);
  let now = [];
  let painted = null;
  filter.addEventListener("input", () => paint());

  function paint() {
    const wanted = filter.value.toUpperCase().replace(/[^SLRF.*?]/g, "").replace(/[*?]/g, ".");
    let test = () => true;
    if (wanted) {
      const pattern = new RegExp(wanted.length === names.length ? `^${wanted}$` : wanted);
      test = ({ mode }) => pattern.test(mode);
    }
    const found = now.filter(test);
    const rows = found.slice(0, MOST).map((entry) => h("li", {}, h("button", {
      type: "button", class: `mc-mode-button${entry.here ? " mc-here" : ""}`, "data-mode": entry.mode,
      title: entry.note, onclick: () => explain(entry.mode),
      onpointerenter: () => highlight(entry.mode), onpointerleave: () => highlight(null),
      onfocus: () => highlight(entry.mode), onblur: () => highlight(null),
    }, h("span", { class: "mc-swatch", style: `background:${entry.colour};color:${readable(entry.colour)}`, "aria-hidden": "true" }),
    letters(entry.mode, names), entry.here ? h("span", { class: "mc-mark", text: "at this torque" }) : null)));
    replace(list, rows);
    if (found.length > MOST) list.append(h("li", { class: "mc-more", text: `and ${found.length - MOST} more; filter to see them` }));
  }

  function draw(modes, at, undecided) {
    const here = new Set(at ? at.modes.map(({ mode }) => mode) : []);
    now = modes.map((entry) => ({ ...entry, here: here.has(entry.mode), note: noteOf(entry) }))
      .sort((a, b) => Number(b.here) - Number(a.here) || Number(Boolean(b.set)) - Number(Boolean(a.set)) || (a.mode < b.mode ? -1 : 1));
    const shown = modes.filter(({ set }) => set).length;
    head.textContent = `${modes.length} mode${modes.length === 1 ? "" : "s"} can happen`
      + (shown < modes.length ? `, ${shown} of them at the held inputs` : "")
      + (undecided && undecided.length ? `; ${undecided.length} not decided yet` : "");
    filter.hidden = modes.length < 8;
    const key = now.map(({ mode, here: marked, note }) => `${mode}${marked}${note}`).join();
    if (key !== painted) paint();                          // most moves change no mode
    painted = key;
  }

  function tell(answer) {
    pickers.forEach((picker, i) => { picker.value = answer.mode[i]; });
    const [first, ...rest] = answer.text.split("\n");
    replace(said, h("h4", {}, letters(answer.mode, names), h("span", { text: answer.possible ? " can happen" : ` cannot happen: ${answer.stage}` })),
      answer.possible ? h("p", { text: rest.length ? "Its torques are bounded by" : first }) : h("p", { text: `${answer.causes.length > 1 ? "These contradict each other:" : ""}` }),
      rest.length ? h("pre", { text: rest.join("\n"), tabindex: 0, "aria-label": "rows of its torque set with their causes" }) : h("ul", {}, answer.causes.map((cause) => h("li", { text: cause }))));
  }
  return { draw, tell, clear: () => replace(said) };
}

function noteOf(entry) {
  if (entry.case === "undecided") return "its torque set needs a slower method";
  return `${entry.case}${entry.w ? `, ${entry.w} ambiguity variable${entry.w === 1 ? "" : "s"}` : ""}; press to see what bounds it`;
}
