// One input: the verdict as a strip, below it one bar per mode with the causes of its ends.

import { drag, place, replace, s } from "./dom.js";
import { short, ticks } from "./numbers.js";
import { causeOf, interval } from "./polytopes.js";
import { AMBIGUOUS, ink, tint } from "./theme.js";
import { spans, word } from "./verdicts.js";

const LEFT = 74;
const RIGHT = 16;
const ROW = 24;
const MOST = 40;

export function lineView(root, move, tell) {
  const svg = s("svg", { class: "mc-line", tabindex: 0, role: "application" });
  root.append(svg);
  let scale = null;

  function draw(data) {
    const { sets, window, tau, best, axis, causes, interval: friction, highlight } = data;
    const width = Math.max(280, root.clientWidth || 480);
    const bars = sets.map((entry) => ({ ...entry, part: interval(entry.set) })).filter(({ part }) => part).slice(0, MOST);
    const height = 14 + ROW * (bars.length + 1) + (friction ? ROW : 0) + 46;
    const [low, high] = window[0];
    const x = (value) => LEFT + ((value - low) / (high - low)) * (width - LEFT - RIGHT);
    scale = { x, low, high, width };
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height);
    svg.setAttribute("width", width);
    const tips = [];
    const top = 14;
    const strip = stripOf(svg, spans(sets, [0], [1], low, high), x, top, sets, tips);
    const sure = friction ? sureStrip(data, x, top + ROW, tips) : [];
    const start = top + ROW * (friction ? 2 : 1);
    const drawn = bars.map(({ mode, colour, part, set }, i) => {
      const y = start + ROW * i;
      const [a, b] = [Math.max(part.low, low), Math.min(part.high, high)];
      const faint = highlight && highlight !== mode ? " mc-faint" : "";
      const ends = [[part.low, part.lowRow, a], [part.high, part.highRow, b]].map(([value, row, at]) => {
        const cause = Number.isFinite(value) ? causeOf(set, row, causes) : null;
        if (cause) tips.push({ x: x(at), y: y + ROW / 2, text: `${mode} ends at ${short(value)}: ${cause}` });
        return cause ? s("line", { x1: x(at), x2: x(at), y1: y + 3, y2: y + ROW - 3, class: "mc-end" }) : endless(x(at), y + ROW / 2, value > 0);
      });
      return s("g", { class: `mc-row${faint}`, "data-mode": mode },
        s("text", { x: LEFT - 8, y: y + ROW / 2 + 4, "text-anchor": "end", class: "mc-mode", text: mode || "–" }),
        b - a > 0 || part.low === part.high ? s("rect", { x: x(a), y: y + 5, width: Math.max(2, x(b) - x(a)), height: ROW - 10, fill: colour, class: "mc-bar-fill" }) : null,
        ends);
    });
    const bottom = start + ROW * bars.length;
    replace(svg, hatches(svg), strip, sure, drawn, axisOf(x, low, high, bottom, axis),
      best ? star(x(best[0]), top + ROW / 2) : null, handle(x(tau[0]), top - 6, bottom));
    svg.tips = tips;
    svg.setAttribute("aria-label", `${axis.name}: ${short(tau[0])} ${axis.unit}. Arrow keys move it.`);
  }

  drag(svg, () => true, (event) => {
    const [px] = place(event, svg);
    const drawn = svg.getBoundingClientRect().width / scale.width;
    const value = scale.low + ((px / drawn - LEFT) / (scale.width - LEFT - RIGHT)) * (scale.high - scale.low);
    move([Math.min(scale.high, Math.max(scale.low, value))]);
  });
  svg.addEventListener("pointermove", (event) => {
    const [px, py] = place(event, svg);
    const near = (svg.tips || []).map((tip) => [Math.hypot(tip.x - px, 0.6 * (tip.y - py)), tip]).sort((a, b) => a[0] - b[0])[0];
    tell(near && near[0] < 14 ? near[1].text : "", event);
  });
  svg.addEventListener("pointerleave", () => tell("", null));
  svg.addEventListener("keydown", (event) => {
    const step = ((scale.high - scale.low) / 100) * (event.shiftKey ? 0.1 : 1);
    const by = { ArrowLeft: -step, ArrowRight: step, ArrowDown: -step, ArrowUp: step }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(null, [by]);
  });
  function highlight(mode) {
    for (const row of svg.querySelectorAll(".mc-row")) row.classList.toggle("mc-faint", Boolean(mode) && row.dataset.mode !== mode);
  }
  return { draw, highlight };
}

function endless(x, y, right) {
  const d = right ? 5 : -5;
  return s("path", { d: `M${x - d},${y - 5}L${x},${y}L${x - d},${y + 5}`, class: "mc-endless" });
}

function hatches(svg) {
  const line = ink(svg, "hatch");
  return s("defs", {}, s("pattern", { id: "mc-none", width: 8, height: 8, patternUnits: "userSpaceOnUse" },
    s("path", { d: "M0,8L8,0M0,0L8,8", stroke: line, "stroke-width": 1 })),
  s("pattern", { id: "mc-many", width: 8, height: 8, patternUnits: "userSpaceOnUse" },
    s("path", { d: "M-2,2L2,-2M0,8L8,0M6,10L10,6", stroke: "#16181d", "stroke-opacity": 0.55, "stroke-width": 1.5 })));
}

function stripOf(svg, found, x, y, sets, tips) {
  const paper = ink(svg, "paper");
  const colours = Object.fromEntries(sets.map(({ mode, colour }) => [mode, colour]));
  return s("g", {}, s("text", { x: LEFT - 8, y: y + ROW / 2 + 4, "text-anchor": "end", text: "verdict", class: "mc-axis-text" }), found.map((span) => {
    const kind = word(span);
    const at = { x: x(span.low), y: y + 2, width: x(span.high) - x(span.low), height: ROW - 4 };
    const fill = kind === "unique" ? tint(colours[span.modes[0]], paper, 0.25)
      : kind === "ambiguous" ? AMBIGUOUS[Math.min(span.modes.length, 5) - 2] : paper;
    const text = kind === "inconsistent" ? "no answer" : kind === "unique" ? span.modes.slice(0, 3).join(" | ") : `${span.modes.length} answers: ${span.modes.join(", ")}`;
    tips.push({ x: at.x + at.width / 2, y: y + ROW / 2, text });
    return [s("rect", { ...at, fill, class: "mc-verdict" }),
      kind === "unique" ? null : s("rect", { ...at, fill: `url(#mc-${kind === "ambiguous" ? "many" : "none"})` })];
  }));
}

function sureStrip(data, x, y, tips) {
  const { sure, low, high } = data.sureOf();
  const colours = Object.fromEntries(data.sets.map(({ mode, colour }) => [mode, colour]));
  return s("g", {}, s("text", { x: LEFT - 8, y: y + ROW / 2 + 4, "text-anchor": "end", text: "surely", class: "mc-axis-text" }),
    s("rect", { x: x(low), y: y + 4, width: x(high) - x(low), height: ROW - 8, class: "mc-depends" }),
    sure.map((span) => {
      tips.push({ x: (x(span.low) + x(span.high)) / 2, y: y + ROW / 2, text: `${span.mode} whatever the friction in its interval` });
      return s("rect", { x: x(span.low), y: y + 4, width: Math.max(1, x(span.high) - x(span.low)), height: ROW - 8, fill: colours[span.mode], class: "mc-verdict" });
    }));
}

function axisOf(x, low, high, y, axis) {
  return s("g", { class: "mc-axis" }, s("line", { x1: x(low), x2: x(high), y1: y + 4, y2: y + 4 }),
    ticks(low, high).map((value) => [s("line", { x1: x(value), x2: x(value), y1: y + 4, y2: y + 8 }),
      s("text", { x: x(value), y: y + 20, "text-anchor": "middle", text: short(value) })]),
    s("text", { x: (x(low) + x(high)) / 2, y: y + 38, "text-anchor": "middle", class: "mc-axis-name", text: axis.unit ? `${axis.name} (${axis.unit})` : axis.name }));
}

export function star(x, y, r = 8) {
  const points = Array.from({ length: 10 }, (_, i) => {
    const a = -Math.PI / 2 + (i * Math.PI) / 5;
    const l = i % 2 ? 0.45 * r : r;
    return `${x + l * Math.cos(a)},${y + l * Math.sin(a)}`;
  });
  return s("polygon", { points: points.join(" "), class: "mc-star" }, s("title", { text: "best guaranteed torque" }));
}

function handle(x, top, bottom) {
  return s("g", { class: "mc-handle" }, s("line", { x1: x, x2: x, y1: top, y2: bottom + 4 }), s("circle", { cx: x, cy: top, r: 6 }));
}
