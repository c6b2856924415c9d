// The state of the page as the part of its address behind `#`: a link shows what was seen when it was copied.
// Numbers are written in full, so that nothing moves when a link is opened.

const LISTS = { q: Number, v: Number, tau: Number, axes: String, keep: String, tasks: String };

export function toHash(state, start) {
  const parts = [];
  const put = (key, value) => parts.push(`${key}=${value}`);
  const list = (values) => values.map((value) => encodeURIComponent(String(value))).join(",");
  for (const key of Object.keys(LISTS)) {
    if (JSON.stringify(state[key]) !== JSON.stringify(start[key])) put(key, list(state[key]));
  }
  for (const [name, value] of Object.entries(state.parameters)) put(`set.${encodeURIComponent(name)}`, value);
  for (const [name, pair] of Object.entries(state.intervals)) put(`between.${encodeURIComponent(name)}`, pair.join(","));
  if (state.objective !== start.objective) put("objective", encodeURIComponent(state.objective));
  if (state.margin !== start.margin) put("margin", state.margin);
  return parts.length ? `#${parts.join("&")}` : "";
}

// The state of a link; what it says wrongly is left out, and the server checks the rest.
export function fromHash(hash, start) {
  const state = structuredClone(start);
  for (const part of hash.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at < 1) continue;
    const [key, text] = [part.slice(0, at), part.slice(at + 1)];
    try {
      if (key in LISTS) {
        const values = text === "" ? [] : text.split(",").map(decodeURIComponent).map(LISTS[key]);
        const fits = LISTS[key] === String || (values.length === start[key].length && values.every(Number.isFinite));
        if (fits) state[key] = values;
      } else if (key.startsWith("set.") && Number.isFinite(Number(text))) {
        state.parameters[decodeURIComponent(key.slice(4))] = Number(text);
      } else if (key.startsWith("between.")) {
        const pair = text.split(",").map(Number);
        if (pair.length === 2 && pair.every(Number.isFinite)) state.intervals[decodeURIComponent(key.slice(8))] = pair;
      } else if (key === "objective") state.objective = decodeURIComponent(text);
      else if (key === "margin" && Number.isFinite(Number(text))) state.margin = Number(text);
    } catch { /* a damaged escape: left out */ }
  }
  return state;
}
