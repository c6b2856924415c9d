// Sliders: one handle for a number, two for an interval; each with a field to type in. All are plain form elements, so
// that keyboards and screen readers know them.

import { fresh, h } from "./dom.js";
import { rounded, short } from "./numbers.js";

export function slider({ name, label, unit, low, high, value, change, hint }) {
  const id = fresh("slider");
  let [least, most] = [low, high];
  const bar = h("input", { type: "range", id, class: "mc-range", min: least, max: most, step: "any", "aria-label": label || name, title: hint });
  const field = h("input", { type: "number", class: "mc-number", step: "any", "aria-label": `${label || name}, as a number` });
  const row = h("div", { class: "mc-slider", "data-name": name }, h("label", { for: id, text: name, title: hint }), bar, field,
    h("span", { class: "mc-unit", text: unit || "" }));
  let shown = value;
  let active = false;

  const send = (next, source) => {
    if (!Number.isFinite(next)) return;
    shown = next;
    if (source !== bar) bar.value = next;
    if (source !== field) field.value = rounded(next, most - least);
    change(next);
  };
  bar.addEventListener("input", () => send(Number(bar.value), bar));
  bar.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    const next = shown + ((most - least) / 100) * steps * (event.shiftKey ? 0.1 : 1);
    send(Math.min(most, Math.max(least, next)), null);
  });
  bar.addEventListener("pointerdown", () => { active = true; });
  bar.addEventListener("change", () => { active = false; });
  bar.addEventListener("pointerup", () => { active = false; });
  field.addEventListener("change", () => { if (field.value !== "") send(Number(field.value), field); });

  function set(next) {
    shown = next;
    if (next < least || next > most) {                     // a state beyond the ends moves the ends
      [least, most] = [Math.min(least, next), Math.max(most, next)];
      bar.min = least;
      bar.max = most;
    }
    if (!active) bar.value = next;
    if (document.activeElement !== field) field.value = rounded(next, most - least);
  }
  function ends(a, b) {
    [least, most] = [Math.min(a, shown), Math.max(b, shown)];
    bar.min = least;
    bar.max = most;
    bar.value = shown;
  }
  function lock(reason) {
    for (const part of [bar, field]) {
      part.disabled = Boolean(reason);
      part.title = reason || hint || "";
    }
  }
  set(value);
  return { row, set, ends, lock };
}

// A friction coefficient: its value, and on request an interval around it with two handles.
export function frictionControl({ name, low, high, value, interval, change, changeInterval }) {
  const one = slider({ name, label: `friction ${name}`, low, high, value, change, hint: "coefficient of friction" });
  const id = fresh("interval");
  const tick = h("input", { type: "checkbox", id });
  const bars = ["least", "greatest"].map((word) => h("input", { type: "range", min: low, max: high, step: "any", class: "mc-range",
    "aria-label": `${word} friction ${name}` }));
  const text = h("span", { class: "mc-interval-text" });
  const band = h("span", { class: "mc-band" });
  const pair = h("div", { class: "mc-pair", hidden: true }, h("div", { class: "mc-two" }, band, bars), text);
  const row = h("div", { class: "mc-friction", "data-name": name }, one.row,
    h("div", { class: "mc-interval" }, tick, h("label", { for: id, text: "known as an interval" }), pair));
  let now = value;
  let ends = interval || null;

  function paint() {
    pair.hidden = !ends;
    tick.checked = Boolean(ends);
    if (!ends) return;
    bars.forEach((bar, i) => { if (document.activeElement !== bar || Number(bar.value) !== ends[i]) bar.value = ends[i]; });
    const part = (x) => `${(100 * (x - low)) / (high - low)}%`;
    band.style.left = part(ends[0]);
    band.style.right = `calc(100% - ${part(ends[1])})`;
    text.textContent = `${short(ends[0], 3)} to ${short(ends[1], 3)}`;
  }
  tick.addEventListener("change", () => {
    ends = tick.checked ? [Math.max(low, 0.9 * now), Math.min(high, 1.1 * now)] : null;
    paint();
    changeInterval(ends);
  });
  const moved = (i, value) => {
    const next = [...ends];
    next[i] = i === 0 ? Math.min(value, now) : Math.max(value, now);
    ends = next;
    paint();
    changeInterval(ends);
  };
  bars.forEach((bar, i) => {
    bar.addEventListener("input", () => moved(i, Number(bar.value)));
    bar.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (steps === undefined) return;
      event.preventDefault();
      moved(i, Math.min(high, Math.max(low, ends[i] + ((high - low) / 100) * steps)));
    });
  });
  function set(next, pairNow) {
    now = next;
    one.set(next);
    ends = pairNow || null;
    paint();
  }
  paint();
  return { row, set };
}

export function toggle(label, value, change) {
  const id = fresh("toggle");
  const box = h("input", { type: "checkbox", id });
  box.checked = value;
  box.addEventListener("change", () => change(box.checked));
  return { row: h("span", { class: "mc-toggle" }, box, h("label", { for: id, text: label })), set: (next) => { box.checked = next; } };
}

export function choice(label, options, value, change) {
  const id = fresh("choice");
  const list = h("select", { id }, options.map((option) => h("option", { value: option.value, text: option.text })));
  list.value = value;
  list.addEventListener("change", () => change(list.value));
  return { row: h("span", { class: "mc-choice" }, h("label", { for: id, text: label }), list), set: (next) => { list.value = next; } };
}

export function sliders(rows) {
  return h("div", { class: "mc-sliders" }, rows);
}

export function group(title, open, ...children) {
  return h("details", { class: "mc-group", open }, h("summary", { text: title }), children);
}
