// A finished run: time slider, mechanism, letters as predicted and as simulated, curves, the torque sets of the instant.

import { curvesView } from "./curves.js";
import { choice, toggle } from "./controls.js";
import { h, replace } from "./dom.js";
import { lanesView } from "./lanes.js";
import { mechanismView } from "./mechanism.js";
import { letters } from "./modes.js";
import { short } from "./numbers.js";
import { followScheme, turnScheme } from "./theme.js";
import { prepare, torqueSpace } from "./torque_space.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1];

// Runs side by side in one list; `box` is where they go.
export function playRuns(root, { runs }) {
  root.classList.add("mc-page", "mc-player");
  const stage = h("div", { class: "mc-stage" });
  const names = runs.map((run, i) => ({ value: String(i), text: run.title }));
  const pick = runs.length > 1 ? choice("run", names, "0", (value) => show(Number(value))) : null;
  const theme = h("button", { type: "button", text: "Light or dark", onclick: () => {
    turnScheme(root, root.closest("[data-report]") || root);
    if (current) current.draw();
  } });
  root.replaceChildren(h("header", { class: "mc-header" }, pick ? pick.row : h("h2", { text: runs[0].title }), theme), stage);
  let current = null;

  function show(i) {
    if (current) current.stop();
    replace(stage);
    current = runView(root, stage, runs[i]);
  }
  show(0);
  followScheme(root, () => current.draw());
  let width = 0;
  new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - width) > 1) {
      width = root.clientWidth;
      current.draw();
    }
  }).observe(root);
}

function runView(root, stage, run) {
  const describe = { name: run.title, contacts: run.entries, inputs: run.inputs };
  const layers = { frames: false, cones: true, forces: true, accelerations: false, steady: true };
  let at = 0;
  let speed = 0.1;
  let timer = null;

  const section = (name, title, ...children) => h("section", { class: `mc-card mc-card-${name}`, "aria-label": title }, h("h3", { text: title }), ...children);
  const drawing = h("div");
  const lanes = h("div");
  const curves = h("div");
  const space = h("div");
  const said = h("p", { class: "mc-instant", "aria-live": "polite" });
  const bar = h("input", { type: "range", class: "mc-range", min: 0, max: run.time.length - 1, step: 1, value: 0, "aria-label": "time" });
  const clock = h("output", { class: "mc-clock" });
  const button = h("button", { type: "button", text: "Play", onclick: () => (timer ? stop() : start()) });
  const rate = choice("speed", SPEEDS.map((x) => ({ value: String(x), text: `${x}×` })), String(speed), (value) => { speed = Number(value); });
  const tip = h("div", { class: "mc-tip", hidden: true, role: "tooltip" });
  const shown = [["frames", "frames"], ["cones", "cones"], ["forces", "forces"]].map(([name, label]) => toggle(label, layers[name], (on) => { layers[name] = on; draw(); }).row);
  stage.append(run.note ? h("p", { class: "mc-caption", text: run.note }) : "",
    h("div", { class: "mc-transport" }, button, bar, clock, rate.row),
    h("div", { class: "mc-columns mc-player-columns" },
      h("div", { class: "mc-column" }, section("mechanism", "Mechanism", drawing, said, h("div", { class: "mc-layers" }, shown)), section("lanes", "Contact letters", lanes)),
      h("div", { class: "mc-column" }, run.inputs.length ? section("space", "Torque sets of this instant", space) : ""),
      h("div", { class: "mc-column" }, section("curves", "Curves", curves))),
    tip);

  const mechanism = mechanismView(drawing, describe, null);
  const letterLanes = lanesView(lanes, run, (time) => seek(nearest(run.time, time)));
  const diagrams = curvesView(curves, run, (time) => seek(nearest(run.time, time)));
  const torques = run.inputs.length ? torqueSpace(space, describe, { move: () => {}, tell, fixed: true }) : null;
  bar.addEventListener("input", () => { stop(); seek(Number(bar.value)); });

  function tell(text, event) {
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    const box = root.getBoundingClientRect();
    tip.style.transform = `translate(${Math.max(4, Math.min(event.clientX - box.left + 14, box.width - tip.offsetWidth - 8))}px, ${event.clientY - box.top + 16}px)`;
  }

  function seek(i) {
    at = Math.max(0, Math.min(run.time.length - 1, i));
    bar.value = at;
    draw();
  }

  function draw() {
    const frame = run.frames[at];
    const time = run.time[at];
    clock.textContent = `${time.toFixed(3)} s`;
    bar.setAttribute("aria-valuetext", `${time.toFixed(3)} seconds`);
    const drawn = { forces: frame.force.map((f) => f ?? 0), bodies: null };
    const answer = { drawn, forces: Object.fromEntries(frame.force.map((f, i) => [i, [f, f]])), accelerations: {} };
    mechanism.draw({ geometry: run.geometry, scene: sceneOf(run, frame) }, frame.mode || null, answer, layers);
    const predicted = run.predicted ? at_time(run.predicted, time) : undefined;
    const simulated = at_time(run.simulated, time);
    replace(said, "simulated ", simulated ? letters(simulated, run.lanes) : "–",
      predicted === undefined ? "" : [", predicted ", predicted ? letters(predicted, run.lanes) : "nothing"],
      frame.tau.length ? `; ${run.inputs.map(({ name, unit }, i) => `${name} = ${short((frame.chosen || frame.tau)[i], 3)}${unit ? ` ${unit}` : ""}`).join(", ")}` : "");
    letterLanes.draw(time);
    diagrams.draw(time);
    if (torques) drawSets(frame, predicted);
    root.dataset.draws = String(Number(root.dataset.draws || 0) + 1);
    root.dataset.time = String(time);
  }

  function drawSets(frame, predicted) {
    const axes = run.inputs.slice(0, 3).map(({ name }) => name);
    if (!frame.sets || run.inputs.length > 3) {
      const why = run.inputs.length > 3 ? "More than three inputs: open the state with modecontrol explore." : "No torque sets are kept for this instant.";
      torques.draw({ trouble: why, modes: [], causes: [], forced: {}, limits: null, best: null, interval: null }, { axes }, frame.chosen || frame.tau, null);
      return;
    }
    const reply = prepare({ ...frame.sets, best: null, interval: null, trouble: null, input_ranges: run.inputs.map(() => [-1, 1]) });
    // an input that has one value only (a lifted leg) is shown there, whatever holds the leg in place
    const tau = run.inputs.map(({ name }, i) => reply.forced[name] ?? (frame.chosen || frame.tau)[i]);
    torques.draw(reply, { axes }, tau, predicted || null);
  }

  function start() {
    if (at >= run.time.length - 1) seek(0);
    button.textContent = "Pause";
    const began = [performance.now(), run.time[at]];
    const tick = () => {
      const time = began[1] + ((performance.now() - began[0]) / 1000) * speed;
      seek(nearest(run.time, time));
      if (at >= run.time.length - 1) stop();
      else timer = requestAnimationFrame(tick);
    };
    timer = requestAnimationFrame(tick);
  }

  function stop() {
    if (timer) cancelAnimationFrame(timer);
    timer = null;
    button.textContent = "Play";
  }
  draw();
  return { draw, stop };
}

function nearest(times, time) {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return time - times[low] <= times[high] - time ? low : high;
}

// The mode of a list of [time, mode] that holds at a time.
function at_time(spans, time) {
  let found = null;
  for (const [start, mode] of spans) {
    if (start > time + 1e-9) break;
    found = mode;
  }
  return found;
}

function sceneOf(run, frame) {
  const world = ([body, x, y, ...more]) => {
    if (body < 0) return [x, y, ...more];
    const [px, py, angle] = frame.poses[body];
    const [c, sn] = [Math.cos(angle), Math.sin(angle)];
    return [px + c * x - sn * y, py + sn * x + c * y, ...more];
  };
  return {
    poses: frame.poses, joints: run.joints.map(world), discs: run.discs.map(world),
    contacts: frame.at.map((at, i) => ({ at, t: frame.t[i], n: [-frame.t[i][1], frame.t[i][0]], gap: frame.gap[i], mu: frame.mu[i], ...(frame.laws ? frame.laws[i] : {}) })),
  };
}
