// Numbers as they are read.

export function short(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (Math.abs(value) < 1e-10) return "0";
  const exact = Number(Number(value).toPrecision(12));      // halves that differ by rounding errors go the same way
  const near = Number(exact.toPrecision(digits));
  const size = Math.abs(near);
  const text = size >= 1e7 || size < 1e-5 ? near.toExponential() : String(near);
  return text.replace("e+", "e").replace(/^-/, "−");
}

// A least and a greatest value; null is without bound.
export function range(pair) {
  const [low, high] = pair;
  if (low !== null && high !== null) {
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-7 * Math.max(size, 1e-3)) return short((low + high) / 2);
  }
  let digits = 4;                                           // as many as it takes to see that the ends differ
  while (low !== null && high !== null && digits < 9 && short(low, digits) === short(high, digits)) digits += 1;
  return `${low === null ? "−∞" : short(low, digits)} … ${high === null ? "∞" : short(high, digits)}`;
}

export function isUnique(pair) {
  return !range(pair).includes("…");
}

// Round steps for the ticks of an axis.
export function ticks(low, high, most = 6) {
  const raw = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((candidate) => candidate >= raw * 0.999);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i += 1) found.push(i * step);
  return found;
}

// How many decimals a slider's number needs.
export function rounded(value, span) {
  const digits = Math.max(0, Math.min(12, 4 - Math.floor(Math.log10(Math.max(span, 1e-9)))));
  return Number(value.toFixed(digits));
}
