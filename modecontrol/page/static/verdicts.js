// Where one mode is the answer, where several are, where none is: along lines through the torque sets.
//
// Sets are closed, so neighbours share boundaries; there their answers agree, which is no ambiguity. Of the sets that
// hold a place only those of the greatest dimension count, and of these the ones that hold it in their interior.

import { chord, dot } from "./polytopes.js";

const INSIDE = 1e-7;

// `sets`: [{mode, set}] in the variables of the line; `from + t * along` for t in [low, high].
// Returns spans [{low, high, modes, border}] from left to right; no modes means that there is no answer.
export function spans(sets, from, along, low, high) {
  const reach = INSIDE * (high - low);
  const found = [];
  for (const entry of sets) {
    if (entry.set.C.length && !onFlat(entry.set, from, along)) continue;
    const part = chord(entry.set, from, along, low, high);
    if (part && part.high - part.low > reach) found.push({ ...part, entry });
  }
  const ends = [...new Set([low, high, ...found.flatMap((part) => [part.low, part.high])])].sort((a, b) => a - b);
  const spread = [];
  for (let i = 0; i + 1 < ends.length; i += 1) {
    if (ends[i + 1] - ends[i] <= reach) continue;
    const middle = (ends[i] + ends[i + 1]) / 2;
    const point = from.map((x, j) => x + middle * along[j]);
    const holding = found.filter((part) => part.low < middle && middle < part.high).map((part) => part.entry);
    const verdict = judge(holding, point, reach);
    const last = spread[spread.length - 1];
    if (last && same(last, verdict)) last.high = ends[i + 1];
    else spread.push({ low: ends[i], high: ends[i + 1], ...verdict });
  }
  return spread;
}

// Modes that count at a point among the sets that hold it.
export function judge(holding, point, reach) {
  if (!holding.length) return { modes: [], border: false };
  const widest = Math.min(...holding.map(({ set }) => set.flat));
  const wide = holding.filter(({ set }) => set.flat === widest);
  const inner = wide.filter(({ set }) => interior(set, point, reach));
  const chosen = inner.length ? inner : wide;
  return { modes: chosen.map(({ mode }) => mode), border: !inner.length && wide.length > 1 };
}

function interior(set, point, reach) {
  return set.A.every((row, i) => set.b[i] - dot(row, point) > reach * set.size[i]);
}

function onFlat(set, from, along) {
  return set.C.every((row, i) => Math.abs(dot(row, along)) <= 1e-9
    && Math.abs(set.d[i] - dot(row, from)) <= 1e-7 * Math.max(1, Math.abs(set.d[i])));
}

function same(a, b) {
  return a.border === b.border && a.modes.length === b.modes.length && a.modes.every((mode, i) => mode === b.modes[i]);
}

// "inconsistent", "unique" or "ambiguous".
export function word(verdict) {
  if (!verdict.modes.length) return "inconsistent";
  return verdict.modes.length === 1 || verdict.border ? "unique" : "ambiguous";
}

// Spans of surely one mode over intervals of friction: its rows hold at every corner and no other mode is possible.
export function sureSpans(interval, from, along, low, high) {
  const found = [];
  for (const [mode, corners] of Object.entries(interval.sure)) {
    let [a, b] = [low, high];
    for (const set of corners) {
      const part = set.C.length && !onFlat(set, from, along) ? null : chord(set, from, along, a, b);
      [a, b] = part ? [part.low, part.high] : [1, 0];
      if (b <= a) break;
    }
    if (b <= a) continue;
    const mine = Math.min(...corners.map((set) => set.flat));
    let left = [[a, b]];
    for (const [other, sets] of Object.entries(interval.possible)) {
      if (other === mode) continue;
      for (const set of sets) {
        if (set.flat > mine || (set.C.length && !onFlat(set, from, along))) continue;
        const part = chord(set, from, along, a, b);
        if (part && part.high > part.low && interiorSomewhere(set, from, along, part)) left = without(left, part.low, part.high);
      }
    }
    for (const [x, y] of left) found.push({ low: x, high: y, mode });
  }
  return found;
}

function interiorSomewhere(set, from, along, part) {
  const t = (part.low + part.high) / 2;
  return interior(set, from.map((x, j) => x + t * along[j]), INSIDE * (part.high - part.low));
}

function without(pieces, low, high) {
  return pieces.flatMap(([a, b]) => [[a, Math.min(b, low)], [Math.max(a, high), b]].filter(([x, y]) => y > x));
}
