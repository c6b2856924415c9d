// The page on which a mechanism is explored: sliders and dragging in, picture and numbers out.

import { answersPanel, bestPanel } from "./answers.js";
import { choice, frictionControl, group, slider, sliders, toggle } from "./controls.js";
import { h, replace } from "./dom.js";
import { fromHash, toHash } from "./links.js";
import { mechanismView } from "./mechanism.js";
import { modesPanel } from "./modes.js";
import { short } from "./numbers.js";
import { followScheme, turnScheme } from "./theme.js";
import { prepare, torqueSpace } from "./torque_space.js";
import { queue } from "./transport.js";

// `ask(question)` answers with data; `links` says whether the state is kept in the address.
export function explore(root, describe, ask, { links = false } = {}) {
  const start = describe.start;
  let state = links ? fromHash(location.hash, start) : structuredClone(start);
  let reply = null;
  let chosen = null;
  let highlight = null;
  const show = { frames: true, cones: true, forces: true, accelerations: true };

  const parts = frame(root, describe);
  const send = queue(ask, answered, failed, (on) => { parts.busy.classList.toggle("mc-on", on); });
  const mechanism = mechanismView(parts.mechanism, describe, describe.fixed ? null : (change) => ask_show(change));
  const space = torqueSpace(parts.space, describe, { move: moveTorque, tell });
  const answers = answersPanel(parts.answers, describe, (mode) => { chosen = mode; drawAnswer(); });
  const best = bestPanel(parts.best, describe, (torque) => setTorque(torque), () => send("best", () => ({ ask: "best", state })));
  const modes = modesPanel(parts.modes, describe, {
    highlight: (mode) => { highlight = mode; space.highlight(mode); },
    explain: (mode) => send("explain", () => ({ ask: "explain", state, mode })),
  });
  const controls = makeControls();

  // Questions and answers -------------------------------------------------------------------------------------

  function ask_show(change) {
    send(change ? `${change.kind}.${change.name ?? ""}` : "show", () => ({ ask: "show", state, change }));
  }

  function answered(data, question) {
    if (data.error) {
      say([data.error]);
      return;
    }
    if (question.ask === "show") {
      state = { ...state, q: data.state.q, v: data.state.v, parameters: data.state.parameters };
      reply = prepare(data);
      root.classList.toggle("mc-undrawn", !reply.scene);
      say(data.notes);
      drawAll();
      remember();
      prove();
    } else if (question.ask === "at") {
      reply.at = data.at;
      drawAnswer();
    } else if (question.ask === "best") {
      reply.best = { ...data.best, last: true };
      best.draw(reply.best, state.objective, reply.interval);
      space.draw(reply, state, torque(), highlight);
    } else if (question.ask === "explain") modes.tell(data);
    else if (question.ask === "python") showCode(data.code);
  }

  // Over intervals of friction the first picture is a check; once the hand rests, Python is asked for what is proven.
  let resting = null;
  function prove() {
    clearTimeout(resting);
    if (!Object.keys(state.intervals).length || describe.fixed) return;
    resting = setTimeout(async () => {
      const [asked, shown] = [state, reply];
      const data = await ask({ ask: "sure", state: asked });
      if (reply !== shown || data.error) return;           // something moved meanwhile
      reply = prepare({ ...reply, interval: data.interval, best: data.best });
      best.draw(reply.best, state.objective, reply.interval);
      space.draw(reply, state, torque(), highlight);
      root.dataset.proven = String(Number(root.dataset.proven || 0) + 1);
    }, 400);
  }

  function failed(error) {
    say([`Python does not answer (${error.message}); is it still running?`]);
  }

  function say(notes) {
    replace(parts.notes, notes.map((note) => h("p", { text: note })));
  }

  // Drawing ---------------------------------------------------------------------------------------------------

  function torque() {
    return state.tau.map((value, i) => (reply && describe.inputs[i].name in (reply.forced || {}) ? reply.forced[describe.inputs[i].name] : value));
  }

  function drawAll() {
    controls.set();
    best.draw(reply.best, state.objective, reply.interval);
    drawAnswer();
  }

  function drawAnswer() {
    const found = reply.at ? reply.at.modes : [];
    if (!found.some(({ mode }) => mode === chosen)) chosen = found.length ? found[0].mode : null;
    const answer = found.find(({ mode }) => mode === chosen) || null;
    mechanism.draw(reply, chosen, answer, show);
    answers.draw(reply.at, chosen);
    modes.draw(reply.modes, reply.at, reply.undecided);
    space.draw(reply, state, torque(), highlight);
    root.dataset.draws = String(Number(root.dataset.draws || 0) + 1);
    root.dispatchEvent(new CustomEvent("mc-drawn"));
  }

  function tell(text, event) {
    parts.tip.hidden = !text;
    if (!text) return;
    parts.tip.textContent = text;
    const box = root.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const left = Math.min(x + 14, box.width - parts.tip.offsetWidth - 8);
    parts.tip.style.transform = `translate(${Math.max(4, left)}px, ${y + 16}px)`;
  }

  // What the user moves -----------------------------------------------------------------------------------------

  function moveTorque(changes) {
    const next = torque();
    for (const [name, value] of Object.entries(changes)) {
      const i = describe.inputs.findIndex((input) => input.name === name);
      next[i] = typeof value === "number" ? value : next[i] + value.by;
    }
    setTorque(next);
  }

  function setTorque(next) {
    const held = next.some((value, i) => value !== state.tau[i] && !state.axes.includes(describe.inputs[i].name));
    state = { ...state, tau: [...next] };
    controls.set();
    if (held) ask_show();
    else {
      if (reply) space.draw(reply, state, torque(), highlight);
      send("at", () => ({ ask: "at", state }));
    }
    remember();
  }

  function set(key, value) {
    state = { ...state, [key]: value };
    ask_show();
    remember();
  }

  // The address follows when the hand rests: browsers are slow to change it, and some refuse when it happens too often.
  let later = null;
  function remember() {
    if (!links) return;
    clearTimeout(later);
    later = setTimeout(writeLink, 150);
  }

  function writeLink() {
    clearTimeout(later);
    history.replaceState(null, "", toHash(state, start) || location.pathname);
  }

  if (links) {
    addEventListener("hashchange", () => {
      state = fromHash(location.hash, start);
      ask_show();
    });
  }

  function reset() {
    state = structuredClone(start);
    chosen = null;
    modes.clear();
    ask_show();
    remember();
  }

  // Controls ------------------------------------------------------------------------------------------------------

  function makeControls() {
    const coordinates = describe.coordinates.map(({ name, unit, low, high }, i) => slider({ name, unit, low, high, value: state.q[i],
      label: `coordinate ${name}`, change: (value) => ask_show({ kind: "coordinate", name, value }) }));
    const velocities = describe.coordinates.map(({ name, unit, speed }, i) => slider({ name: `${name}′`, label: `velocity of ${name}`,
      unit: unit ? `${unit}/s` : "", low: -speed, high: speed, value: state.v[i], change: (value) => ask_show({ kind: "velocity", name, value }) }));
    const now = ({ name, value }) => state.parameters[name] ?? value;
    const friction = describe.parameters.filter((parameter) => parameter.friction).map((parameter) => [parameter, frictionControl({
      ...parameter, value: now(parameter), interval: state.intervals[parameter.name],
      change: (value) => {
        const pair = state.intervals[parameter.name];
        if (pair) {
          const moved = [Math.min(pair[0], value), Math.max(pair[1], value)];
          state = { ...state, intervals: { ...state.intervals, [parameter.name]: moved } };
        }
        ask_show({ kind: "parameter", name: parameter.name, value });
      },
      changeInterval: (pair) => {
        const { [parameter.name]: _, ...rest } = state.intervals;
        state = { ...state, intervals: pair ? { ...rest, [parameter.name]: pair } : rest };
        ask_show();
        remember();
      } })]);
    const others = describe.parameters.filter((parameter) => !parameter.friction).map((parameter) => [parameter, slider({
      ...parameter, label: `parameter ${parameter.name}`, value: now(parameter), change: (value) => ask_show({ kind: "parameter", name: parameter.name, value }) })]);
    const inputs = describe.inputs.map(({ name, unit }, i) => slider({ name, unit, low: -10, high: 10, value: state.tau[i], label: `input ${name}`,
      change: (value) => setTorque(state.tau.map((old, j) => (i === j ? value : old))) }));
    const closable = describe.contacts.filter(({ kind }) => ["contact", "stop", "cable"].includes(kind));
    const keepers = closable.map(({ name }) => toggle(name, state.keep.includes(name), (on) => {
      const keep = describe.contacts.map((contact) => contact.name).filter((other) => (other === name ? on : state.keep.includes(other)));
      state = { ...state, keep };
      if (on) ask_show({ kind: "close" });
      else set("keep", keep);
    }));
    const all = toggle("keep closed contacts closed", state.keep.length > 0, (on) => {
      state = { ...state, keep: on ? (start.keep.length ? start.keep : closable.map(({ name }) => name)) : [] };
      ask_show(on ? { kind: "close" } : undefined);
      remember();
    });
    const objective = choice("maximise", describe.objectives.map(({ text, label }) => ({ value: text, text: label })), state.objective, (text) => set("objective", text));
    const tasks = describe.tasks.map(({ name, text }) => toggle(name === text ? text : `${name}: ${text}`, state.tasks.includes(text), (on) => {
      set("tasks", on ? [...state.tasks, text] : state.tasks.filter((other) => other !== text));
    }));
    const margin = slider({ name: "margin", label: "distance to other modes", low: 0, high: 1, value: state.margin, change: (value) => set("margin", Math.max(0, value)),
      hint: "distance to keep from other modes, in the units of the inputs" });
    const axes = describe.inputs.length > 3 ? axisChoices() : null;

    if (!describe.fixed) parts.controls.append(
      group("Configuration", true, closable.length ? h("div", { class: "mc-keep" }, all.row, h("span", { class: "mc-keepers" }, keepers.map(({ row }) => row))) : null,
        sliders(coordinates.map(({ row }) => row))),
      friction.length ? group("Friction", true, sliders(friction.map(([, control]) => control.row))) : "",
      group("Velocity", state.v.some((x) => x !== 0), sliders(velocities.map(({ row }) => row))),
      others.length ? group("Other parameters", false, sliders(others.map(([, control]) => control.row))) : "");
    else if (describe.vary) parts.controls.append(varied());
    else root.classList.add("mc-uncontrolled");
    parts.inputs.append(sliders(inputs.map(({ row }) => row)), axes ? axes.row : "");
    if (describe.file) parts.goal.append(h("p", { class: "mc-caption", text: `maximises ${state.objective}` }));
    else parts.goal.append(describe.inputs.length ? objective.row : "", ...tasks.map(({ row }) => row), describe.inputs.length ? sliders([margin.row]) : "");
    const toggles = [["frames", "frames"], ["cones", "cones"], ["forces", "forces"], ["accelerations", "accelerations"]].map(([name, label]) =>
      toggle(label, show[name], (on) => { show[name] = on; drawAnswer(); }));
    parts.layers.append(...toggles.map(({ row }) => row));
    parts.buttons.append(
      h("button", { type: "button", text: "Copy as Python", onclick: () => send("python", () => ({ ask: "python", state })) }),
      links ? h("button", { type: "button", text: "Copy link", onclick: () => { writeLink(); copy(location.href, "Link copied."); } }) : "",
      h("button", { type: "button", text: "Reset", onclick: reset }),
      h("button", { type: "button", text: "Light or dark", onclick: turnTheme }));

    function setAll() {
      // a slider that has moved on since the question was asked keeps its place
      const quiet = (kind, name) => !send.waits(`${kind}.${name}`);
      coordinates.forEach((control, i) => { if (quiet("coordinate", describe.coordinates[i].name)) control.set(state.q[i]); });
      velocities.forEach((control, i) => { if (quiet("velocity", describe.coordinates[i].name)) control.set(state.v[i]); });
      friction.forEach(([parameter, control]) => { if (quiet("parameter", parameter.name)) control.set(now(parameter), state.intervals[parameter.name]); });
      others.forEach(([parameter, control]) => { if (quiet("parameter", parameter.name)) control.set(now(parameter)); });
      const here = torque();
      inputs.forEach((control, i) => {
        const { name } = describe.inputs[i];
        const forced = reply && name in (reply.forced || {});
        if (reply && reply.input_ranges) control.ends(...around(reply.input_ranges[i], reply.best && reply.best.torque ? reply.best.torque[i] : null));
        control.set(here[i]);
        control.lock(forced ? `${name} has only one value here: ${reply.forced[name]}` : "");
      });
      keepers.forEach((keeper, i) => keeper.set(state.keep.includes(closable[i].name)));
      all.set(state.keep.length > 0);
      objective.set(state.objective);
      margin.set(state.margin);
      tasks.forEach((task, i) => task.set(state.tasks.includes(describe.tasks[i].text)));
      if (axes) axes.set();
    }
    return { set: setAll };
  }

  // Pages in a file have one slider, over the states that they carry.
  function varied() {
    const { name, unit, values, first } = describe.vary;
    state = { frame: first, ...state };
    const text = h("output", { text: `${short(values[state.frame])} ${unit}` });
    const bar = h("input", { type: "range", class: "mc-range", min: 0, max: values.length - 1, step: 1, value: state.frame, "aria-label": name });
    bar.addEventListener("input", () => {
      state = { ...state, frame: Number(bar.value) };
      text.textContent = `${short(values[state.frame])} ${unit}`;
      bar.setAttribute("aria-valuetext", text.textContent);
      ask_show();
    });
    return h("div", { class: "mc-varied" }, h("label", {}, h("strong", { text: name }), bar), text,
      h("p", { class: "mc-caption", text: "This page is a file: other sliders need modecontrol explore." }));
  }

  // More than three inputs: which of them are drawn.
  function axisChoices() {
    const none = { value: "", text: "none" };
    const options = describe.inputs.map(({ name }) => ({ value: name, text: name }));
    const picks = [0, 1, 2].map((i) => choice(["drawn", "against", "and"][i], i === 2 ? [none, ...options] : options, state.axes[i] || "", (name) => {
      const next = [...state.axes];
      const other = next.indexOf(name);
      if (name === "") next.splice(2, 1);
      else {
        if (other >= 0) next[other] = next[i];
        next[i] = name;
      }
      set("axes", next.filter(Boolean));
    }));
    return { row: h("div", { class: "mc-axes" }, picks.map(({ row }) => row)), set: () => picks.forEach((pick, i) => pick.set(state.axes[i] || "")) };
  }

  // Python, links, light and dark ---------------------------------------------------------------------------------

  function showCode(code) {
    parts.code.textContent = code;
    parts.dialog.showModal();
    copy(code, "Copied.");
  }

  async function copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      say([done]);
    } catch {
      say(["The browser does not allow copying here; select the text instead."]);
    }
  }

  function turnTheme() {
    turnScheme(root);
    if (reply) drawAnswer();
  }

  followScheme(root, () => { if (reply) drawAnswer(); });
  let width = 0;
  new ResizeObserver(() => {
    if (reply && Math.abs(root.clientWidth - width) > 1) {
      width = root.clientWidth;
      space.redraw();
    }
  }).observe(root);
  ask_show(links && location.hash ? { kind: "close" } : undefined);
  return { state: () => state };
}

// A range that has room around a point outside; a point that rounding alone puts outside is at the end.
function around([low, high], point) {
  const [room, rounding] = [0.2 * (high - low), 1e-9 * (high - low)];
  if (point === null) return [low, high];
  return [point < low - rounding ? point - room : low, point > high + rounding ? point + room : high];
}

function frame(root, describe) {
  root.classList.add("mc-page");
  const section = (name, title, ...children) => {
    const body = h("div", { class: `mc-${name}` });
    return [h("section", { class: `mc-card mc-card-${name}`, "aria-label": title }, h("h3", { text: title }), ...children, body), body];
  };
  const busy = h("span", { class: "mc-busy", title: "Python is computing", "aria-hidden": "true" });
  const buttons = h("div", { class: "mc-buttons" });
  const notes = h("div", { class: "mc-notes", role: "status" });
  const layers = h("div", { class: "mc-layers" });
  const controls = h("div", { class: "mc-controls" });
  const inputs = h("div", { class: "mc-inputs" });
  const goal = h("div", { class: "mc-goal" });
  const [mechanismCard, mechanism] = section("mechanism-box", "Mechanism");
  mechanismCard.append(notes, layers);
  const [spaceCard, space] = section("space", describe.inputs.length === 1 ? "Input" : "Inputs");
  spaceCard.append(inputs);
  const [answersCard, answers] = section("answers", "At this torque");
  const [bestCard, best] = section("best-box", "Best guaranteed torque", goal);
  const [modesCard, modes] = section("modes-box", "Contact modes");
  const code = h("pre", { class: "mc-code", tabindex: 0, "aria-label": "Python code" });
  const dialog = h("dialog", { class: "mc-dialog", "aria-label": "The state as Python" }, h("h3", { text: "The state as Python" }), code,
    h("form", { method: "dialog" }, h("button", { text: "Close" })));
  const tip = h("div", { class: "mc-tip", hidden: true, role: "tooltip" });
  root.replaceChildren(
    h("header", { class: "mc-header" }, h("div", {}, h("h2", {}, h("span", { text: describe.name }), busy), h("p", { text: describe.about })), buttons),
    h("div", { class: "mc-columns" },
      h("div", { class: "mc-column mc-left" }, h("section", { class: "mc-card mc-card-controls", "aria-label": "Controls" }, controls)),
      h("div", { class: "mc-column mc-middle" }, mechanismCard, answersCard, modesCard),
      h("div", { class: "mc-column mc-right" }, spaceCard, bestCard)),
    dialog, tip);
  return { busy, buttons, notes, layers, controls, inputs, goal, mechanism, space, answers, best, modes, code, dialog, tip };
}
