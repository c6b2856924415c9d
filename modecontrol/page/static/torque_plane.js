// Two inputs: verdicts as shading, outlines of the torque sets, the torque as a point that can be dragged.

import { drag, fresh, h, place, replace, s } from "./dom.js";
import { short, ticks } from "./numbers.js";
import { area, causeOf, polygon } from "./polytopes.js";
import { AMBIGUOUS, hatch, ink, sheet, tint } from "./theme.js";
import { star } from "./torque_line.js";
import { judge, spans, sureSpans, word } from "./verdicts.js";

const MARGIN = { left: 58, right: 12, top: 12, bottom: 46 };
const NEAR = 7;

export function planeView(root, move, tell) {
  const canvas = h("canvas", { class: "mc-shade", "aria-hidden": "true" });
  const svg = s("svg", { class: "mc-plane", tabindex: 0, role: "application" });
  const box = h("div", { class: "mc-plane-box" }, canvas, svg);
  root.append(box);
  const clipName = fresh("clip");
  let view = null;

  function draw(data) {
    const width = Math.max(260, root.clientWidth || 480);
    const height = Math.round(Math.min(460, Math.max(260, 0.8 * width)));
    const [[x0, x1], [y0, y1]] = data.window;
    const inner = [width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom];
    const X = (value) => MARGIN.left + ((value - x0) / (x1 - x0)) * inner[0];
    const Y = (value) => MARGIN.top + ((y1 - value) / (y1 - y0)) * inner[1];
    const back = (px, py) => [x0 + ((px - MARGIN.left) / inner[0]) * (x1 - x0), y1 - ((py - MARGIN.top) / inner[1]) * (y1 - y0)];
    box.style.height = `${height}px`;
    const shapes = data.sets.map((entry) => ({ ...entry, shape: polygon(entry.set, data.window) })).filter(({ shape }) => shape);
    view = { data, X, Y, back, shapes, width, height, inner };
    shade(canvas, svg, view);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    replace(svg, clip(inner, clipName), s("g", { "clip-path": `url(#${clipName})` }, outlines(shapes, X, Y, data.highlight),
      labels(view)), frame(view), data.best && within(data.best, data.window) ? star(X(data.best[0]), Y(data.best[1]), 13) : null,
    cross(X(data.tau[0]), Y(data.tau[1])));
    svg.setAttribute("aria-label", `${data.axes.map((axis, i) => `${axis.name} ${short(data.tau[i])} ${axis.unit}`).join(", ")}. `
      + "Arrow keys move the torque, with Shift in smaller steps.");
  }

  const follow = (event) => {
    const at = view.back(...place(event, svg));
    move(at.map((value, i) => Math.min(view.data.window[i][1], Math.max(view.data.window[i][0], value))));
  };
  drag(svg, (event) => { follow(event); svg.focus(); return true; }, follow);
  svg.addEventListener("pointermove", (event) => tell(view ? hover(view, place(event, svg)) : "", event));
  svg.addEventListener("pointerleave", () => tell("", null));
  svg.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
    if (!steps) return;
    event.preventDefault();
    const part = event.shiftKey ? 0.001 : 0.01;
    move(null, steps.map((step, i) => step * part * (view.data.window[i][1] - view.data.window[i][0])));
  });
  function highlight(mode) {
    if (view) view.data.highlight = mode;
    for (const outline of svg.querySelectorAll(".mc-outline")) outline.classList.toggle("mc-chosen", outline.dataset.mode === mode);
  }
  return { draw, highlight };
}

const within = (point, window) => point.every((x, i) => x >= window[i][0] && x <= window[i][1]);

// Verdicts row of pixels by row of pixels: along each the torque sets are intervals, so their ends are exact.
function shade(canvas, svg, { data, width, height, inner }) {
  const { pen, ratio } = sheet(canvas, width, height);
  canvas.style.width = `${width}px`;
  const paper = ink(svg, "paper");
  const colours = Object.fromEntries(data.sets.map(({ mode, colour }) => [mode, tint(colour, paper, data.interval ? 0.62 : 0.35)]));
  const full = Object.fromEntries(data.sets.map(({ mode, colour }) => [mode, tint(colour, paper, 0.12)]));
  const none = hatch(pen, "none", ink(svg, "hatch"), paper, ratio);
  const many = AMBIGUOUS.map((colour) => hatch(pen, "many", "#16181d90", colour, ratio));
  const dots = hatch(pen, "dots", ink(svg, "hatch"), null, ratio);
  const [[x0, x1], [y0, y1]] = data.window;
  const left = MARGIN.left * ratio;
  const toPixel = (value) => left + ((value - x0) / (x1 - x0)) * inner[0] * ratio;
  const first = Math.round(MARGIN.top * ratio);
  const last = Math.round((MARGIN.top + inner[1]) * ratio);
  const wide = data.sets.filter(({ set }) => set.C.length === 0);
  for (let row = first; row < last; row += 1) {
    const y = y1 - ((row + 0.5 - first) / (last - first)) * (y1 - y0);
    for (const span of spans(wide, [0, y], [1, 0], x0, x1)) {
      const kind = word(span);
      pen.fillStyle = kind === "unique" ? colours[span.modes[0]] : kind === "none" || kind === "inconsistent" ? none : many[Math.min(span.modes.length, 5) - 2];
      const [a, b] = [toPixel(span.low), toPixel(span.high)];
      pen.fillRect(a, row, b - a, 1);
      if (data.interval && kind === "unique") {
        pen.fillStyle = dots;
        pen.fillRect(a, row, b - a, 1);
      }
    }
    if (data.interval) {
      for (const span of sureSpans(data.interval, [0, y], [1, 0], x0, x1)) {
        pen.fillStyle = full[span.mode] || paper;
        const [a, b] = [toPixel(span.low), toPixel(span.high)];
        pen.fillRect(a, row, b - a, 1);
      }
    }
  }
}

function clip(inner, id) {
  return s("defs", {}, s("clipPath", { id }, s("rect", { x: MARGIN.left, y: MARGIN.top, width: inner[0], height: inner[1] })));
}

function outlines(shapes, X, Y, highlight) {
  return shapes.map(({ mode, shape, colour }) => {
    const points = shape.points.map(([x, y]) => [X(x), Y(y)]);
    const name = `mc-outline${highlight === mode ? " mc-chosen" : ""}`;
    if (points.length === 1) return s("circle", { cx: points[0][0], cy: points[0][1], r: 3, fill: colour, class: name, "data-mode": mode });
    const d = `M${points.map((p) => p.join(",")).join("L")}${points.length > 2 ? "Z" : ""}`;
    return s("path", { d, class: points.length > 2 ? name : `${name} mc-thin`, stroke: points.length > 2 ? null : colour, "data-mode": mode });
  });
}

// Names inside the largest parts, where they do not cover each other.
function labels({ shapes, X, Y, data, inner }) {
  const written = [];
  const size = inner[0] * inner[1];
  return shapes.filter(({ shape }) => shape.points.length > 2).map(({ mode, shape }) => {
    const points = shape.points.map(([x, y]) => [X(x), Y(y)]);
    return { mode, points, space: area(points) };
  }).sort((a, b) => b.space - a.space).map(({ mode, points, space }) => {
    if (space < 0.025 * size) return null;
    const at = [0, 1].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
    const centre = [0, 1].map((k) => shapeCentre(points)[k] ?? at[k]);
    const value = backTo(centre, X, Y, data.window);
    const holding = data.sets.filter(({ set }) => set.C.length === 0 && set.A.every((row, i) => row[0] * value[0] + row[1] * value[1] <= set.b[i] + 1e-9 * set.size[i]));
    const verdict = judge(holding, value, 1e-7);
    const text = verdict.modes.length > 1 && !verdict.border ? (verdict.modes.length < 4 ? verdict.modes.join(", ") : `${verdict.modes.length} answers`) : mode;
    if (word(verdict) === "unique" && verdict.modes[0] !== mode) return null;
    const half = [4.2 * text.length + 5, 10];
    if (written.some((other) => other.text === text || (Math.abs(other.at[0] - centre[0]) < other.half[0] + half[0] && Math.abs(other.at[1] - centre[1]) < other.half[1] + half[1]))) return null;
    written.push({ at: centre, half, text });
    return s("g", { class: "mc-tag" }, s("rect", { x: centre[0] - half[0], y: centre[1] - half[1], width: 2 * half[0], height: 2 * half[1], rx: 4 }),
      s("text", { x: centre[0], y: centre[1] + 4, "text-anchor": "middle", text }));
  });
}

function shapeCentre(points) {
  let [sum, x, y] = [0, 0, 0];
  for (let i = 0; i < points.length; i += 1) {
    const [p, q] = [points[i], points[(i + 1) % points.length]];
    const weight = p[0] * q[1] - q[0] * p[1];
    sum += weight;
    x += weight * (p[0] + q[0]);
    y += weight * (p[1] + q[1]);
  }
  return sum === 0 ? [] : [x / (3 * sum), y / (3 * sum)];
}

function backTo([px, py], X, Y, window) {
  const [[x0, x1], [y0, y1]] = window;
  return [x0 + ((px - X(x0)) / (X(x1) - X(x0))) * (x1 - x0), y0 + ((py - Y(y0)) / (Y(y1) - Y(y0))) * (y1 - y0)];
}

function frame({ X, Y, data, inner, width, height }) {
  const [[x0, x1], [y0, y1]] = data.window;
  const name = (axis) => (axis.unit ? `${axis.name} (${axis.unit})` : axis.name);
  const bottom = MARGIN.top + inner[1];
  return s("g", { class: "mc-axis" }, s("rect", { x: MARGIN.left, y: MARGIN.top, width: inner[0], height: inner[1], class: "mc-axis-box" }),
    ticks(x0, x1, Math.max(3, inner[0] / 70)).map((value) => [s("line", { x1: X(value), x2: X(value), y1: bottom, y2: bottom + 4 }),
      s("text", { x: X(value), y: bottom + 17, "text-anchor": "middle", text: short(value) })]),
    ticks(y0, y1, Math.max(3, inner[1] / 50)).map((value) => [s("line", { x1: MARGIN.left - 4, x2: MARGIN.left, y1: Y(value), y2: Y(value) }),
      s("text", { x: MARGIN.left - 7, y: Y(value) + 4, "text-anchor": "end", text: short(value) })]),
    s("text", { x: MARGIN.left + inner[0] / 2, y: height - 8, "text-anchor": "middle", class: "mc-axis-name", text: name(data.axes[0]) }),
    s("text", { x: 0, y: 0, transform: `translate(14 ${MARGIN.top + inner[1] / 2}) rotate(-90)`, "text-anchor": "middle", class: "mc-axis-name", text: name(data.axes[1]) }));
}

function cross(x, y) {
  return s("g", { class: "mc-handle" }, s("line", { x1: x - 14, x2: x + 14, y1: y, y2: y }), s("line", { x1: x, x2: x, y1: y - 14, y2: y + 14 }),
    s("circle", { cx: x, cy: y, r: 5 }));
}

// What is under the pointer: the nearest facet with its cause, or the verdict.
function hover({ data, X, Y, back, shapes }, [px, py]) {
  const [x, y] = back(px, py);
  if (!within([x, y], data.window)) return "";
  let best = { distance: NEAR, text: "" };
  for (const { mode, shape, set } of shapes) {
    const count = shape.points.length;
    for (let i = 0; i < (count === 2 ? 1 : count); i += 1) {
      if (count === 1 || shape.rows[i] === -1) continue;
      const distance = away([px, py], shape.points[i], shape.points[(i + 1) % count], X, Y);
      const cause = causeOf(set, shape.rows[i], data.causes);
      if (cause && distance < best.distance - 0.01) best = { distance, text: `${mode}: ${cause}` };
      else if (cause && Math.abs(distance - best.distance) < 0.01 && best.text) best.text += `\n${mode}: ${cause}`;
    }
  }
  if (best.text) return best.text;
  const holding = data.sets.filter(({ set }) => set.C.length === 0 && set.A.every((row, i) => row[0] * x + row[1] * y <= set.b[i]));
  const verdict = judge(holding, [x, y], 1e-9);
  if (word(verdict) === "inconsistent") return "no answer: no contact mode explains these inputs";
  return word(verdict) === "unique" ? verdict.modes[0] : `${verdict.modes.length} answers: ${verdict.modes.join(", ")}`;
}

function away([px, py], p, q, X, Y) {
  const [ax, ay, bx, by] = [X(p[0]), Y(p[1]), X(q[0]), Y(q[1])];
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length));
  return Math.hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay));
}
