// Answers without Python, for pages in a file: modes, accelerations and forces at a torque from the affine maps that
// the file carries. What a file does not carry it says.

import { maximise } from "./linear_program.js";
import { dot, hold } from "./polytopes.js";

const STRICT = 1e-7;
const FEASIBLE = 1e-9;

export function offline(data) {
  return async (question) => {
    const frame = data.frames[question.state.frame ?? data.first];
    if (question.ask === "show") return { ...sliced(frame, question.state), state: { ...question.state, q: frame.state.q, v: frame.state.v, parameters: frame.state.parameters }, at: at(frame, question.state.tau) };
    if (question.ask === "at") return { at: at(frame, question.state.tau) };
    if (question.ask === "python") return { code: frame.code.replace("@tau@", `[${question.state.tau.map(String).join(", ")}]`) };
    if (question.ask === "explain") return explain(frame, question.mode);
    return { error: "a page in a file cannot answer this; modecontrol explore can" };
  };
}

// With more than three inputs a file carries the sets in all of them; the page draws them in at most three.
function sliced(frame, { axes, tau }) {
  if (frame.inputs.length <= 3) return frame;
  const places = axes.map((name) => frame.inputs.indexOf(name));
  const cut = (set) => (set ? hold(set, places, tau) : null);
  return { ...frame, limits: cut(frame.limits), modes: frame.modes.map((entry) => ({ ...entry, set: cut(entry.set) })) };
}

// The same data as Python's answer at a torque.
export function at(frame, wanted) {
  const tau = wanted.map((value, i) => frame.forced[frame.inputs[i]] ?? value);
  const modes = frame.modes.filter(({ mode, set }) => set && contains(frame.maps[mode].torques, tau)).map(({ mode, case: kind }) => {
    const map = frame.maps[mode];
    const left = fibre(map, tau);
    const accelerations = ranges(map.acceleration, tau, left);
    const forces = ranges(map.force, tau, left);
    const w = oneOfMany(map, left);
    return { mode, case: kind, accelerations, forces, drawn: { forces: values(map.force, tau, w), bodies: bodies(frame, values(map.acceleration, tau, w)) } };
  });
  return { tau, modes, verdict: verdict(modes), undecided: [] };
}

function contains(set, tau) {
  return set.A.every((row, i) => dot(row, tau) - set.b[i] <= FEASIBLE * sizeOf(row, set.b[i]))
    && set.C.every((row, i) => Math.abs(dot(row, tau) - set.d[i]) <= FEASIBLE * sizeOf(row, set.d[i]));
}

const sizeOf = (row, right) => Math.max(Math.max(...row.map(Math.abs)), Math.abs(right));

// {w : (tau, w) in the domain}, rows loosened by rounding.
function fibre({ domain, w }, tau) {
  if (!w) return null;
  const t = tau.length;
  const right = (rows, b) => rows.map((row, i) => b[i] - dot(row.slice(0, t), tau));
  const room = (row, b) => FEASIBLE * sizeOf(row, b);
  return { A: domain.A.map((row) => row.slice(t)), b: right(domain.A, domain.b).map((b, i) => b + room(domain.A[i], domain.b[i])),
    C: domain.C.map((row) => row.slice(t)), d: right(domain.C, domain.d) };
}

function ranges(affine, tau, left) {
  const middle = values(affine, tau, null);
  return Object.fromEntries(affine.names.map((name, i) => {
    const row = affine.w[i];
    if (!left || !row.some((x) => x !== 0)) return [name, [middle[i], middle[i]]];
    const end = (sign) => {
      const best = maximise(row.map((x) => sign * x), left.A, left.b, left.C, left.d);
      return best.status === "optimal" ? middle[i] + sign * best.value : null;
    };
    return [name, [end(-1), end(1)]];
  }));
}

function values(affine, tau, w) {
  return affine.constant.map((c, i) => c + dot(affine.tau[i], tau) + (w ? dot(affine.w[i], w) : 0));
}

function oneOfMany(map, left) {
  if (!left) return null;
  const points = [];
  for (const row of map.force.w) {
    for (const sign of [1, -1]) {
      const best = row.some((x) => x !== 0) ? maximise(row.map((x) => sign * x), left.A, left.b, left.C, left.d) : null;
      if (best && best.status === "optimal") points.push(best.point);
    }
  }
  return points.length ? points[0].map((_, j) => points.reduce((sum, p) => sum + p[j], 0) / points.length) : new Array(map.w).fill(0);
}

function bodies(frame, qdd) {
  if (!frame.bodies) return null;
  return frame.bodies.drift.map((drift, i) => drift.map((x, k) => x + dot(frame.bodies.by[i][k], qdd)));
}

function verdict(modes) {
  if (!modes.length) return "inconsistent";
  if (modes.length === 1) return "unique";
  const alike = ["accelerations", "forces"].every((part) => modes.slice(1).every((other) => same(modes[0][part], other[part])));
  return alike ? "border" : "ambiguous";
}

function same(a, b) {
  const size = Math.max(1, ...[...Object.values(a), ...Object.values(b)].flat().filter((x) => x !== null).map(Math.abs));
  return Object.keys(a).every((name) => a[name].every((x, i) => (x === null ? b[name][i] === null : b[name][i] !== null && Math.abs(x - b[name][i]) <= STRICT * size)));
}

function explain(frame, mode) {
  const entry = frame.modes.find((other) => other.mode === mode);
  if (!entry) return { mode, possible: false, stage: "not told", causes: ["this file does not say why; modecontrol explore does"], text: "" };
  const { torques } = frame.maps[mode];
  const row = (a) => a.map((x, i) => [x, frame.inputs[i]]).filter(([x]) => Math.abs(x) > 1e-12)
    .map(([x, name], i) => `${x < 0 ? "-" : i ? "+" : ""}${i ? " " : ""}${Number(Math.abs(x).toPrecision(6))} ${name}`).join(" ");
  const lines = [...torques.C.map((a, i) => `  ${row(a)} = ${Number(torques.d[i].toPrecision(6))}   [${torques.equality_labels[i].join(", ")}]`),
    ...torques.A.map((a, i) => `  ${row(a)} <= ${Number(torques.b[i].toPrecision(6))}   [${torques.labels[i].join(", ")}]`)];
  return { mode, possible: true, stage: "", causes: [], text: [`${mode} is possible`, ...lines].join("\n") };
}
