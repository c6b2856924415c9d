// Letters of the contacts against time: one lane each, what was predicted below what was simulated.

import { drag, place, replace, s } from "./dom.js";
import { ticks } from "./numbers.js";

const LEFT = 64;
const LETTER = 7;                                           // width of a letter of a name
const RIGHT = 10;
const BAR = 13;

export function lanesView(root, run, seek) {
  const svg = s("svg", { class: "mc-lanes", role: "img", "aria-label": "letters of the contacts against time" });
  root.append(svg);
  let scale = null;
  const left = Math.max(LEFT, 12 + LETTER * Math.max(0, ...run.lanes.map((name) => name.length)));

  function draw(time) {
    const width = Math.max(260, root.clientWidth || 480);
    const rows = run.predicted ? 2 : 1;
    const lane = rows * BAR + 10;
    const height = run.lanes.length * lane + 34;
    const x = (t) => left + (t / run.end) * (width - left - RIGHT);
    scale = { width, x };
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height);
    const drawn = run.lanes.map((name, i) => {
      const y = 4 + i * lane;
      return s("g", {}, s("text", { x: left - 8, y: y + lane / 2, "text-anchor": "end", class: "mc-axis-text", text: name }),
        bars(run.simulated, i, x, y, run.end, "simulated"), run.predicted ? bars(run.predicted, i, x, y + BAR, run.end, "predicted") : null);
    });
    const bottom = run.lanes.length * lane + 4;
    const used = [...new Set([...run.simulated, ...(run.predicted || [])].flatMap(([, mode]) => [...(mode || "")]))];
    replace(svg, drawn, s("g", { class: "mc-axis" }, ticks(0, run.end).map((t) => [s("line", { x1: x(t), x2: x(t), y1: bottom, y2: bottom + 4 }),
      s("text", { x: x(t), y: bottom + 16, "text-anchor": "middle", text: String(Number(t.toPrecision(6))) })]),
    s("text", { x: width - RIGHT, y: bottom + 28, "text-anchor": "end", text: "time (s)" })),
    s("line", { class: "mc-now", x1: x(time), x2: x(time), y1: 0, y2: bottom }));
    svg.setAttribute("aria-label", `letters of ${run.lanes.join(", ")} against time: ${used.join(", ")}${rows === 2 ? "; simulated above, predicted below" : ""}`);
  }

  drag(svg, (event) => { to(event); return true; }, to);
  function to(event) {
    const drawn = svg.getBoundingClientRect().width / scale.width;
    seek((((place(event, svg)[0] / drawn) - left) / (scale.width - left - RIGHT)) * run.end);
  }
  return { draw };
}

function bars(spans, i, x, y, end, word) {
  return laneSpans(spans, i, end).map(([start, stop, letter]) => {
    const wide = x(stop) - x(start);
    return [s("rect", { x: x(start), y, width: Math.max(0.5, wide), height: BAR - 1, class: `mc-letter-${letter}` }, s("title", { text: `${word}: ${letter} from ${start} to ${stop} s` })),
      wide > 14 ? s("text", { x: x(start) + wide / 2, y: y + 10, "text-anchor": "middle", class: `mc-lane-letter mc-on-${letter}`, text: letter }) : null];
  });
}

// Spans [start, stop, letter] of one contact; a change of the others does not cut them.
function laneSpans(spans, i, end) {
  const found = [];
  spans.forEach(([start, mode], k) => {
    if (!mode) return;
    const stop = k + 1 < spans.length ? spans[k + 1][0] : end;
    const last = found[found.length - 1];
    if (last && last[2] === mode[i] && last[1] === start) last[1] = stop;
    else found.push([start, stop, mode[i]]);
  });
  return found;
}
