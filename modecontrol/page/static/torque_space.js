// The space of the inputs: which view fits their number, and what each view is given.

import { choice } from "./controls.js";
import { h, replace } from "./dom.js";
import { chooseWindow, closeWindow } from "./drawing_window.js";
import { hold, norms } from "./polytopes.js";
import { lineView } from "./torque_line.js";
import { planeView } from "./torque_plane.js";
import { solidView } from "./torque_solid.js";
import { sureSpans } from "./verdicts.js";

// Rows know the size that they have in all inputs: distances to them are measured by it.
export function prepare(reply) {
  const sized = (set) => { if (set && !set.size) set.size = norms(set.A); };
  for (const { set } of reply.modes) sized(set);
  if (reply.interval) {
    for (const corners of Object.values(reply.interval.sure)) corners.forEach(sized);
    for (const sets of Object.values(reply.interval.possible)) sets.forEach(sized);
  }
  return reply;
}

// `fixed`: the torque is shown, not moved.
export function torqueSpace(root, describe, { move, tell, fixed = false }) {
  const solidBox = h("div", { class: "mc-space-solid" });
  const planeBox = h("div", { class: "mc-space-plane" });
  const lineBox = h("div", { class: "mc-space-line" });
  const bar = h("div", { class: "mc-space-bar" });
  const empty = h("p", { class: "mc-empty" });
  const legend = h("p", { class: "mc-legend" });
  root.append(solidBox, bar, planeBox, lineBox, empty, legend);
  let [line, plane, solid] = [null, null, null];
  let slice = null;                                        // name of the input that the slice holds
  let windowBefore = null;
  let last = null;

  function draw(reply, state, tau, highlight) {
    last = [reply, state, tau, highlight];
    const drawn = state.axes.filter((name) => !(name in (reply.forced || {})));
    const places = drawn.map((name) => state.axes.indexOf(name));
    const at = state.axes.map((name) => tau[indexOf(name)]);
    const onAxes = (values) => (values ? places.map((i) => values[indexOf(state.axes[i])]) : null);
    const take = (set) => hold(set, places, at);
    const whole = {
      axes: drawn.map((name) => describe.inputs[indexOf(name)]), causes: reply.causes, highlight,
      sets: reply.modes.filter(({ set }) => set).map((entry) => ({ ...entry, set: take(entry.set) })),
      interval: takeInterval(reply.interval, take), tau: onAxes(tau), best: reply.best ? onAxes(reply.best.torque) : null,
    };
    if (!windowBefore || windowBefore.names !== drawn.join()) windowBefore = { names: drawn.join(), box: null };
    const points = [whole.tau, whole.best].filter(Boolean);
    whole.window = drawn.length && reply.limits ? chooseWindow(whole.sets, take(reply.limits), drawn.length, windowBefore.box, points, onAxes(reply.input_ranges))
      : drawn.map(() => [-1, 1]);
    windowBefore.box = whole.window;
    show(whole, drawn.length, reply);
    if (reply.trouble || !drawn.length) return;
    if (drawn.length === 1) drawLine(whole);
    else if (drawn.length === 2) drawPlane(whole, drawn, drawn);
    else {
      solid ||= solidView(solidBox, tell);
      solid.draw({ ...whole, window: closeWindow(whole.sets, whole.window, points) });
      if (!drawn.includes(slice)) slice = drawn[2];
      const kept = drawn.filter((name) => name !== slice);
      sliceBar(drawn, whole);
      drawPlane(whole, drawn, kept);
    }
  }

  const indexOf = (name) => describe.inputs.findIndex((input) => input.name === name);

  function takeInterval(interval, take) {
    if (!interval) return null;
    const each = (table) => Object.fromEntries(Object.entries(table).map(([mode, sets]) => [mode, sets.map(take)]));
    return { sure: each(interval.sure), possible: each(interval.possible) };
  }

  function drawLine(whole) {
    line ||= lineView(lineBox, (value, by) => moved([whole.axes[0].name], value, by), tell);
    const [low, high] = whole.window[0];
    line.draw({ ...whole, axis: whole.axes[0], sureOf: () => ({ sure: sureSpans(whole.interval, [0], [1], low, high), low, high }) });
  }

  function drawPlane(whole, drawn, kept) {
    const places = kept.map((name) => drawn.indexOf(name));
    const cut = (set) => (places.length === drawn.length ? set : hold(set, places, whole.tau));
    const pick = (values) => (values ? places.map((i) => values[i]) : null);
    plane ||= planeView(planeBox, (value, by) => moved(planeBox.kept, value, by), tell);
    planeBox.kept = kept;
    // the best torque is marked in the slice only if it lies in it
    const inSlice = !whole.best || drawn.every((name, i) => kept.includes(name)
      || Math.abs(whole.best[i] - whole.tau[i]) <= 1e-6 * (whole.window[i][1] - whole.window[i][0]));
    plane.draw({ ...whole, axes: pick(whole.axes), window: pick(whole.window), tau: pick(whole.tau), best: inSlice ? pick(whole.best) : null,
      sets: whole.sets.map((entry) => ({ ...entry, set: cut(entry.set) })), interval: takeInterval(whole.interval, cut) });
  }

  function moved(names, value, by) {
    const changes = {};
    names.forEach((name, i) => { changes[name] = value ? value[i] : { by: by[i] }; });
    move(changes);
  }

  function sliceBar(drawn, whole) {
    if (bar.names !== drawn.join()) {
      bar.names = drawn.join();
      bar.pick = choice("Slice through the torque, holding", drawn.map((name) => ({ value: name, text: name })), slice, (name) => {
        slice = name;
        draw(...last);
      });
      replace(bar, bar.pick.row);
    }
    bar.pick.set(slice);
  }

  function show(whole, count, reply) {
    const none = reply.trouble || !count;
    solidBox.hidden = none || count !== 3;
    bar.hidden = none || count !== 3;
    planeBox.hidden = none || count < 2;
    lineBox.hidden = none || count !== 1;
    empty.hidden = !none;
    legend.hidden = none;
    empty.textContent = reply.trouble ? reply.trouble : describe.inputs.length ? "No input can differ from its one value here." : "This mechanism has no inputs.";
    replace(legend, key("mc-key-one", "one mode"), key("mc-key-many", "several"), key("mc-key-none", "none"),
      reply.interval ? [key("mc-key-dots", "depends on friction"), h("span", { text: `full colour: ${reply.interval.how}` })] : null, key("mc-key-torque", "the torque"),
      fixed ? null : key("mc-key-best", "best guaranteed torque"));
  }
  // Only lines change, not the shading.
  function mark(mode) {
    if (!last) return;
    last[3] = mode;
    for (const view of [line, plane, solid]) if (view) view.highlight(mode);
  }
  return { draw, highlight: mark, redraw: () => { if (last) draw(...last); } };
}

function key(name, text) {
  return h("span", { class: "mc-key" }, h("span", { class: `mc-key-box ${name}`, "aria-hidden": "true" }), text);
}
