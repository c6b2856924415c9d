// Curves against time, one diagram below the other, with a line at the shown instant.

import { drag, h, place, replace, s } from "./dom.js";
import { short, ticks } from "./numbers.js";

const LEFT = 64;
const RIGHT = 10;
const TALL = 150;
const DASHES = ["", "6 3", "2 3", "8 3 2 3"];

export function curvesView(root, run, seek) {
  const parts = run.curves.map((curve) => {
    const svg = s("svg", { class: "mc-curve", role: "img", "aria-label": `${curve.name} against time` });
    const key = h("p", { class: "mc-legend" });
    root.append(h("h4", { text: curve.unit ? `${curve.name} (${curve.unit})` : curve.name }), key, svg);
    let width = 0;
    const to = (event) => {
      const drawn = svg.getBoundingClientRect().width / width;
      seek(((place(event, svg)[0] / drawn - LEFT) / (width - LEFT - RIGHT)) * run.end);
    };
    drag(svg, (event) => { to(event); return true; }, to);
    return { curve, svg, key, setWidth: (value) => { width = value; }, drawn: null };
  });

  function draw(time) {
    const width = Math.max(260, root.clientWidth || 480);
    const x = (t) => LEFT + (t / run.end) * (width - LEFT - RIGHT);
    for (const part of parts) {
      if (part.drawn !== width) plot(part, width, x);
      part.drawn = width;
      part.setWidth(width);
      const line = part.svg.querySelector(".mc-now");
      line.setAttribute("x1", x(time));
      line.setAttribute("x2", x(time));
      replace(part.key, part.curve.lines.map((entry, i) => h("span", { class: "mc-key" },
        s("svg", { width: 24, height: 8, "aria-hidden": "true" }, s("line", { x1: 0, x2: 24, y1: 4, y2: 4, class: `mc-line-${i % 6}`, "stroke-dasharray": DASHES[i % 4] })),
        `${entry.name} ${valueAt(entry, time)}`)));
    }
  }

  function plot({ curve, svg }, width, x) {
    const values = curve.lines.flatMap(({ value }) => value.filter((v) => v !== null));
    let [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    if (high - low < 1e-9) [low, high] = [-1, 1];
    const pad = 0.05 * (high - low);
    const y = (v) => 6 + ((high + pad - v) / (high - low + 2 * pad)) * (TALL - 30);
    svg.setAttribute("viewBox", `0 0 ${width} ${TALL}`);
    svg.setAttribute("height", TALL);
    const bottom = TALL - 24;
    replace(svg, s("g", { class: "mc-axis" }, s("line", { x1: LEFT, x2: width - RIGHT, y1: y(0), y2: y(0), class: "mc-zero" }),
      ticks(low, high, 4).map((v) => s("text", { x: LEFT - 6, y: y(v) + 4, "text-anchor": "end", text: short(v) })),
      ticks(0, run.end).map((t) => [s("line", { x1: x(t), x2: x(t), y1: bottom, y2: bottom + 4 }), s("text", { x: x(t), y: bottom + 16, "text-anchor": "middle", text: String(Number(t.toPrecision(6))) })])),
    curve.lines.map((entry, i) => s("path", { d: pathOf(entry, x, y), class: `mc-curve-line mc-line-${i % 6}`, "stroke-dasharray": DASHES[i % 4] })),
    s("line", { class: "mc-now", y1: 4, y2: bottom }));
  }
  return { draw };
}

function pathOf({ time, value }, x, y) {
  let d = "";
  let open = false;
  time.forEach((t, i) => {
    if (value[i] === null) open = false;
    else {
      d += `${open ? "L" : "M"}${x(t).toFixed(1)},${y(value[i]).toFixed(1)}`;
      open = true;
    }
  });
  return d;
}

function valueAt({ time, value }, at) {
  const next = time.findIndex((t) => t > at + 1e-9);
  const i = (next < 0 ? time.length : next) - 1;
  if (i < 0 || value[i] === null) return "";
  if (next < 0 || value[next] === null) return short(value[i], 3);
  return short(value[i] + ((at - time[i]) / (time[next] - time[i])) * (value[next] - value[i]), 3);
}
