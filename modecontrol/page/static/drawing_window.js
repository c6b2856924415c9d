// Which part of the input space is drawn: the torque limits where they are finite, a box around the sets where not.

import { interval, polygon, solid } from "./polytopes.js";

const FAR = 1e7;
const PAD = 0.35;

// One [low, high] per drawn input. `before` is kept as long as it still fits, so that the picture does not jump.
// Where neither limits nor corners say anything, `ranges` do.
export function chooseWindow(sets, limits, count, before, points, ranges) {
  const bounds = limits ? limitBox(limits, count) : Array.from({ length: count }, () => [-Infinity, Infinity]);
  const open = bounds.some(([low, high]) => !Number.isFinite(low) || !Number.isFinite(high));
  const each = open ? sets.map(({ set }) => vertices(set, count)) : [];
  const bare = open && each.some((corners) => !corners.length);
  const corners = [...each.flat(), ...(bare ? sets.flatMap(({ set }) => feet(set)) : []), ...points];
  return bounds.map(([low, high], i) => {
    const natural = bare ? ranges[i] : [0, 0];
    const seen = reachOf(corners.map((p) => p[i]));
    const reach = bare && !corners.length ? natural : [Math.min(seen[0], natural[0]), Math.max(seen[1], natural[1])];
    const span = Number.isFinite(high - low) ? high - low : 0;
    const wanted = [
      Number.isFinite(low) ? low - 0.05 * (span || 1) : reach[0], Number.isFinite(high) ? high + 0.05 * (span || 1) : reach[1],
    ];
    if (Number.isFinite(low) && Number.isFinite(high)) return span > 0 ? wanted : [low - 1, high + 1];
    if (wanted[1] - wanted[0] < 1e-6) { wanted[0] -= 1; wanted[1] += 1; }
    return keep(before && before[i], wanted);
  });
}

// The box of the sets within a window: solids are seen from close by, and little is lost where there is no answer.
export function closeWindow(sets, window, points) {
  const corners = [...points, ...sets.flatMap(({ set }) => (solid(set, window) || []).flatMap((face) => face.points))];
  if (!corners.length) return window;
  return window.map(([low, high], i) => {
    const values = corners.map((p) => p[i]);
    const [a, b] = [Math.min(...values), Math.max(...values)];
    const pad = 0.06 * (b - a) || 0.06 * (high - low);
    return [Math.max(low, a - pad), Math.min(high, b + pad)];
  });
}

function keep(old, wanted) {
  if (!old) return wanted;
  const fits = old[0] <= wanted[0] + 0.2 * (wanted[1] - wanted[0]) && old[1] >= wanted[1] - 0.2 * (wanted[1] - wanted[0]);
  return fits && wanted[1] - wanted[0] > 0.35 * (old[1] - old[0]) ? old : wanted;
}

function reachOf(values) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const span = high - low || 2;
  return [low - PAD * span, high + PAD * span];
}

function limitBox(limits, count) {
  const box = Array.from({ length: count }, () => [-Infinity, Infinity]);
  limits.A.forEach((row, k) => {
    const used = row.map((a, i) => (Math.abs(a) > 1e-12 ? i : -1)).filter((i) => i >= 0);
    if (used.length !== 1) return;
    const [i] = used;
    const value = limits.b[k] / row[i];
    if (row[i] > 0) box[i][1] = Math.min(box[i][1], value);
    else box[i][0] = Math.max(box[i][0], value);
  });
  limits.C.forEach((row, k) => {
    const used = row.map((a, i) => (Math.abs(a) > 1e-12 ? i : -1)).filter((i) => i >= 0);
    if (used.length === 1) box[used[0]] = [limits.d[k] / row[used[0]], limits.d[k] / row[used[0]]];
  });
  return box;
}

function vertices(set, count) {
  const far = Array.from({ length: count }, () => [-FAR, FAR]);
  const found = [];
  if (count === 1) {
    const part = interval(set);
    if (part) found.push([part.low], [part.high]);
  } else if (count === 2) {
    const part = polygon(set, far);
    if (part) found.push(...part.points);
  } else {
    const part = solid(set, far);
    if (part) for (const face of part) found.push(...face.points);
  }
  return found.filter((p) => p.every((x) => Math.abs(x) < 0.9 * FAR));
}

// Of each facet the point nearest to zero, where it lies in the set: a half-space has no corner and still begins somewhere.
function feet(set) {
  if (set.C.length) return [];
  return set.A.map((row, k) => {
    const squared = row.reduce((sum, a) => sum + a * a, 0);
    return squared > 1e-18 ? row.map((a) => (a * set.b[k]) / squared) : null;
  }).filter((point) => point && set.A.every((row, k) => {
    const size = Math.hypot(...row) * (1 + Math.hypot(...point));
    return row.reduce((sum, a, i) => sum + a * point[i], 0) <= set.b[k] + 1e-9 * size;
  }));
}
