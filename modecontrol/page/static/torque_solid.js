// Three inputs: the torque sets as solids that can be turned, with the torque and the best guaranteed one inside.

import { drag, h, place } from "./dom.js";
import { short } from "./numbers.js";
import { causeOf, solid } from "./polytopes.js";
import { ink, sheet, tint } from "./theme.js";

const NEAR = 5;

export function solidView(root, tell, turned) {
  const canvas = h("canvas", { class: "mc-solid", tabindex: 0, role: "application",
    "aria-label": "Torque sets in three inputs. Arrow keys turn the picture." });
  root.append(canvas);
  let data = null;
  let [azimuth, height] = [-0.9, 0.45];
  const inks = {};
  let shapes = [];
  let drawn = [];

  function draw(next) {
    data = next;
    shapes = data.sets.flatMap((entry) => (solid(entry.set, data.window) || []).map((face) => ({ ...entry, row: face.row, corners: face.points })));
    paint();
  }

  function project(point) {
    const [u, v, w] = point.map((x, i) => (2 * (x - data.window[i][0])) / (data.window[i][1] - data.window[i][0]) - 1);
    const [ca, sa, ch, sh] = [Math.cos(azimuth), Math.sin(azimuth), Math.cos(height), Math.sin(height)];
    const depth = -sa * u + ca * v;
    const side = ca * u + sa * v;
    const scale = 0.27 * Math.min(canvas.cssWidth, canvas.cssHeight * 1.15);
    return [canvas.cssWidth / 2 + scale * side, canvas.cssHeight / 2 - scale * (ch * w + sh * depth), -ch * depth + sh * w];
  }

  function paint() {
    if (!data) return;
    const width = Math.max(240, root.clientWidth || 420);
    const tall = Math.round(Math.min(400, 0.82 * width));
    Object.assign(canvas, { cssWidth: width, cssHeight: tall });
    const { pen, ratio } = sheet(canvas, width, tall);
    pen.scale(ratio, ratio);
    for (const name of ["paper", "ink", "quiet", "best", "accent"]) inks[name] = ink(canvas, name);
    box(pen, false);
    drawn = shapes.map((face) => {
      const points = face.corners.map(project);
      return { ...face, points, depth: points.reduce((sum, p) => sum + p[2], 0) / points.length };
    }).sort((a, b) => a.depth - b.depth || a.set.flat - b.set.flat);
    for (const face of drawn) paintFace(pen, face);
    box(pen, true);
    names(pen);
    if (data.best) mark(pen, project(data.best), "best");
    mark(pen, project(data.tau), "tau");
    canvas.setAttribute("aria-label", `Torque sets in ${data.axes.map(({ name }) => name).join(", ")}; the torque is at `
      + `${data.tau.map((x) => short(x)).join(", ")}. Arrow keys turn the picture.`);
  }

  function paintFace(pen, { mode, colour, points }) {
    const chosen = data.highlight === mode;
    const quiet = data.highlight && !chosen;
    pen.beginPath();
    points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    if (points.length > 2) {
      pen.closePath();
      pen.globalAlpha = quiet ? 0.06 : chosen ? 0.8 : 0.38;
      pen.fillStyle = tint(colour, inks.paper, 0.1);
      pen.fill();
    } else if (points.length === 1) pen.arc(points[0][0], points[0][1], 3, 0, 2 * Math.PI);
    pen.globalAlpha = quiet ? 0.15 : 0.85;
    pen.strokeStyle = points.length > 2 ? inks.ink : colour;
    pen.lineWidth = points.length > 2 ? 0.7 : 3;
    pen.stroke();
    pen.globalAlpha = 1;
  }

  function box(pen, front) {
    const corner = (i, j, k) => project([data.window[0][i], data.window[1][j], data.window[2][k]]);
    const nearest = [0, 1].flatMap((i) => [0, 1].flatMap((j) => [0, 1].map((k) => ({ at: [i, j, k], depth: corner(i, j, k)[2] }))))
      .sort((a, b) => b.depth - a.depth)[0].at;
    pen.strokeStyle = inks.quiet;
    pen.lineWidth = 0.8;
    for (let axis = 0; axis < 3; axis += 1) {
      for (const [i, j] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
        const from = [0, 0, 0];
        [0, 1, 2].filter((k) => k !== axis).forEach((k, n) => { from[k] = n ? j : i; });
        const touches = [0, 1, 2].filter((k) => k !== axis).every((k) => from[k] === nearest[k]);
        if (touches !== front) continue;
        const to = [...from];
        from[axis] = 0;
        to[axis] = 1;
        pen.globalAlpha = front ? 0.35 : 0.7;
        pen.beginPath();
        pen.moveTo(...corner(...from));
        pen.lineTo(...corner(...to));
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
  }

  // Each axis is named on its lowest edge, with both ends as numbers.
  function names(pen) {
    pen.fillStyle = inks.ink;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const large = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;   // projectors
    const centre = project(data.window.map(([low, high]) => (low + high) / 2));
    for (let axis = 0; axis < 3; axis += 1) {
      const edges = [[0, 0], [0, 1], [1, 0], [1, 1]].map(([i, j]) => {
        const at = (end) => {
          const p = [0, 0, 0];
          p[axis] = end;
          [0, 1, 2].filter((k) => k !== axis).forEach((k, n) => { p[k] = n ? j : i; });
          return project(p.map((bit, k) => data.window[k][bit]));
        };
        return [at(0), at(1)];
      });
      const score = ([a, b]) => (axis === 2 ? -(a[0] + b[0]) : a[1] + b[1]);
      const [a, b] = edges.sort((p, q) => score(q) - score(p))[0];
      const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      const out = [middle[0] - centre[0], middle[1] - centre[1]];
      const length = Math.hypot(...out) || 1;
      const push = (p, by) => [p[0] + (by * out[0]) / length, p[1] + (by * out[1]) / length];
      const { name, unit } = data.axes[axis];
      pen.font = `600 ${13 * large}px system-ui, sans-serif`;
      const label = unit ? `${name} (${unit})` : name;
      if (axis === 2) writeUpwards(pen, label, [Math.max(10, middle[0] - 30), middle[1]]);
      else write(pen, label, push(middle, 20), canvas, Math.abs(out[0]) < 0.2 * length ? 0 : Math.sign(out[0]));
      pen.font = `${11 * large}px system-ui, sans-serif`;
      write(pen, short(data.window[axis][0], 3), push([a[0] * 0.88 + b[0] * 0.12, a[1] * 0.88 + b[1] * 0.12], 13), canvas);
      write(pen, short(data.window[axis][1], 3), push([b[0] * 0.88 + a[0] * 0.12, b[1] * 0.88 + a[1] * 0.12], 13), canvas);
    }
  }

  function mark(pen, [x, y], kind) {
    pen.lineWidth = 2;
    pen.strokeStyle = inks.paper;
    pen.fillStyle = kind === "best" ? inks.best : inks.accent;
    pen.beginPath();
    if (kind === "best") {
      for (let i = 0; i < 10; i += 1) {
        const a = -Math.PI / 2 + (i * Math.PI) / 5;
        const r = i % 2 ? 5.5 : 12;
        pen.lineTo(x + r * Math.cos(a), y + r * Math.sin(a));
      }
      pen.closePath();
    } else pen.arc(x, y, 5, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  }

  let from = null;
  drag(canvas, (event) => { from = [event.clientX, event.clientY, azimuth, height]; canvas.focus(); return true; }, (event) => {
    azimuth = from[2] + (event.clientX - from[0]) / 120;
    height = Math.min(1.5, Math.max(-1.5, from[3] + (event.clientY - from[1]) / 120));
    paint();
    if (turned) turned();
  });
  canvas.addEventListener("pointermove", (event) => {
    const at = place(event, canvas);
    const near = facetAt(drawn, at);
    const cause = near && causeOf(near.set, near.row, data.causes);
    tell(near ? `${near.mode}${cause ? `: ${cause}` : ""}` : "", event);
  });
  canvas.addEventListener("pointerleave", () => tell("", null));
  canvas.addEventListener("keydown", (event) => {
    const turn = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (!turn) return;
    event.preventDefault();
    azimuth += turn[0];
    height = Math.min(1.5, Math.max(-1.5, height + turn[1]));
    paint();
  });
  return { draw, highlight: (mode) => { if (data) { data.highlight = mode; paint(); } } };
}

// Text about a place, or beside it (side -1: it ends there, 1: it begins there), moved as far as it must be to stay on the canvas.
function write(pen, text, [x, y], canvas, side = 0) {
  const half = pen.measureText(text).width / 2 + 2;
  const middle = x + side * half * 0.8;
  pen.fillText(text, Math.min(canvas.cssWidth - half, Math.max(half, middle)), Math.min(canvas.cssHeight - 8, Math.max(8, y)));
}

function writeUpwards(pen, text, [x, y]) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(-Math.PI / 2);
  pen.fillText(text, 0, 0);
  pen.restore();
}

// The face in front under a point of the picture.
function facetAt(faces, [x, y]) {
  for (let i = faces.length - 1; i >= 0; i -= 1) {
    const { points } = faces[i];
    if (points.length === 1 && Math.hypot(points[0][0] - x, points[0][1] - y) < NEAR) return faces[i];
    if (points.length > 2 && surrounds(points, x, y)) return faces[i];
  }
  return null;
}

function surrounds(points, x, y) {
  let sign = 0;
  for (let i = 0; i < points.length; i += 1) {
    const [p, q] = [points[i], points[(i + 1) % points.length]];
    const turn = Math.sign((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]));
    if (turn !== 0 && sign !== 0 && turn !== sign) return false;
    if (turn !== 0) sign = turn;
  }
  return sign !== 0;
}
