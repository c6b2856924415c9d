// Colours of light and dark, and the hatchings that carry the same meaning without colour.

export const AMBIGUOUS = ["#f6d7a7", "#e9a15b", "#c96a2b", "#8f3d12"];

// A colour of the style sheet, as the canvas needs it.
export function ink(element, name) {
  return getComputedStyle(element).getPropertyValue(`--mc-${name}`).trim();
}

export function isDark(element) {
  return ink(element, "scheme") === "dark";
}

// What the notebook around says, "light" or "dark"; nothing on a page of its own. Style sheets cannot ask: marimo keeps a widget in a
// shadow tree, where rules do not see what lies around it.
function notebookScheme() {
  const { classList, dataset } = document.body;
  const has = (...names) => names.some((name) => classList.contains(name));
  if (dataset.jpThemeLight === "false" || has("dark-theme", "vscode-dark")) return "dark";
  if (dataset.jpThemeLight === "true" || has("light-theme", "vscode-light", "vscode-high-contrast-light")) return "light";
  return has("vscode-high-contrast") ? "dark" : "";
}

// Light or dark as the notebook has it, or else as the reader's system has it; `redraw` follows when that changes.
export function followScheme(root, redraw) {
  const follow = () => { root.dataset.notebook = notebookScheme(); };
  const changed = () => {
    const before = isDark(root);
    follow();
    if (isDark(root) !== before) redraw();
  };
  follow();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  new MutationObserver(changed).observe(document.body, { attributes: true });
}

// From light to dark or back, on a root and the page around it.
export function turnScheme(...roots) {
  const next = isDark(roots[0]) ? "light" : "dark";
  for (const root of roots) root.dataset.theme = next;
}

// A mode's colour mixed with the paper, as solid colour.
export function tint(colour, paper, part) {
  const mix = [1, 3, 5].map((i) => {
    const from = parseInt(colour.slice(i, i + 2), 16);
    const to = parseInt(paper.slice(i, i + 2), 16);
    return Math.round(from + (to - from) * part).toString(16).padStart(2, "0");
  });
  return `#${mix.join("")}`;
}

// Black or white, whichever is read more easily on a colour.
export function readable(colour) {
  const linear = [1, 3, 5].map((i) => {
    const x = parseInt(colour.slice(i, i + 2), 16) / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.2 ? "#16181d" : "#ffffff";
}

// Diagonal lines for several answers, crossed ones for none, dots for what depends on friction.
export function hatch(context, kind, line, paper, scale) {
  const side = Math.round(8 * scale);
  const tile = document.createElement("canvas");
  tile.width = side;
  tile.height = side;
  const pen = tile.getContext("2d");
  if (paper) {
    pen.fillStyle = paper;
    pen.fillRect(0, 0, side, side);
  }
  pen.strokeStyle = line;
  pen.lineWidth = kind === "many" ? 1.6 * scale : scale;
  pen.beginPath();
  if (kind === "dots") {
    pen.fillStyle = line;
    pen.arc(side / 2, side / 2, 1.1 * scale, 0, 2 * Math.PI);
    pen.fill();
  } else {
    for (const shift of [-side, 0, side]) {
      pen.moveTo(shift, side);
      pen.lineTo(shift + side, 0);
      if (kind === "none") {
        pen.moveTo(shift, 0);
        pen.lineTo(shift + side, side);
      }
    }
    pen.stroke();
  }
  return context.createPattern(tile, "repeat");
}

// A canvas of this size in CSS pixels, its pen scaled to them; new memory only when the size changes.
export function sheet(canvas, width, height) {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, w, h);
  return { pen, ratio };
}
