// Lines and arrows in the mechanism's plane: metres, y upwards.

import { s } from "./dom.js";

export const path = (points, close = true) => `M${points.map(([x, y]) => `${x},${-y}`).join("L")}${close ? "Z" : ""}`;

export function arrow(from, to, unit, width) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const back = Math.min(1, (3.2 * width * unit) / (length || 1));
  const neck = [0, 1].map((k) => to[k] - back * (to[k] - from[k]));
  return [s("path", { d: path([from, neck], false), "stroke-width": width * unit, class: "mc-shaft" }), head(neck, to, unit, width)];
}

// An arc with a head: something that turns, or a torque; `part` is 1 for the largest, negative for clockwise.
export function turning([x, y], part, r, unit, width = 0.7) {
  const angle = part * 1.6 * Math.PI;
  const start = -Math.PI / 2;
  const at = (a) => [x + r * Math.cos(a), y + r * Math.sin(a)];
  const points = Array.from({ length: 25 }, (_, i) => at(start + (angle * i) / 24));
  return [s("path", { d: path(points.slice(0, -2), false), fill: "none", "stroke-width": width * unit }), head(points[21], points[24], unit, width)];
}

function head(from, to, unit, width) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const t = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const half = 1.3 * width * unit;
  const base = [0, 1].map((k) => to[k] - 3.4 * width * unit * t[k]);
  return s("path", { class: "mc-head", d: path([to, [base[0] - half * t[1], base[1] + half * t[0]], [base[0] + half * t[1], base[1] - half * t[0]]]) });
}
