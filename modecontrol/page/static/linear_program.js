// maximise c . w with A w <= b, C w = d, w of any sign: a dense simplex for a handful of variables, with Bland's rule,
// which never runs in circles. Files without Python use it for the ranges of forces; Python itself does not.

const ZERO = 1e-9;

// {status: "optimal" | "unbounded" | "infeasible", value, point}
export function maximise(c, A, b, C = [], d = []) {
  const n = c.length;
  const rows = [...A.map((row, i) => [row, b[i]]), ...C.map((row, i) => [row, d[i]]), ...C.map((row, i) => [row.map((x) => -x), -d[i]])];
  const scaled = rows.map(([row, right]) => {
    const size = Math.max(...row.map(Math.abs), 0);
    return size > 0 ? [row.map((x) => x / size), right / size] : [row, right];
  });
  const room = ZERO * Math.max(1, ...scaled.map(([, right]) => Math.abs(right)));
  if (scaled.some(([row, right]) => row.every((x) => x === 0) && right < -room)) return { status: "infeasible" };
  const kept = scaled.filter(([row]) => row.some((x) => x !== 0));
  const m = kept.length;
  // columns: w+ (n), w- (n), slacks (m), one artificial variable that lifts all rows at once
  const width = 2 * n + m + 1;
  const table = kept.map(([row, right], i) => {
    const line = new Array(width + 1).fill(0);
    row.forEach((x, j) => { line[j] = x; line[n + j] = -x; });
    line[2 * n + i] = 1;
    line[width - 1] = -1;
    line[width] = right;
    return line;
  });
  const basis = kept.map((_, i) => 2 * n + i);
  const lowest = table.reduce((best, line, i) => (line[width] < table[best][width] ? i : best), 0);
  if (m && table[lowest][width] < -room) {
    pivot(table, basis, lowest, width - 1);
    const first = new Array(width).fill(0);
    first[width - 1] = -1;
    run(table, basis, first, width);
    const place = basis.indexOf(width - 1);
    if (place >= 0) {
      if (table[place][width] > room) return { status: "infeasible" };
      const enter = table[place].findIndex((x, j) => j < width - 1 && Math.abs(x) > ZERO);
      if (enter >= 0) pivot(table, basis, place, enter);
    }
  }
  for (const line of table) line[width - 1] = 0;
  const objective = new Array(width).fill(0);
  c.forEach((x, j) => { objective[j] = x; objective[n + j] = -x; });
  if (!run(table, basis, objective, width)) return { status: "unbounded" };
  const values = new Array(width).fill(0);
  basis.forEach((j, i) => { values[j] = table[i][width]; });
  const point = c.map((_, j) => values[j] - values[n + j]);
  return { status: "optimal", point, value: c.reduce((sum, x, j) => sum + x * point[j], 0) };
}

// Simplex steps until no column improves; false when the objective grows without end.
function run(table, basis, objective, width) {
  const size = Math.max(...objective.map(Math.abs), 1e-300);
  for (let step = 0; step < 5000; step += 1) {
    let enter = -1;
    for (let j = 0; j < width && enter < 0; j += 1) {
      if (basis.includes(j)) continue;
      let gain = objective[j];
      for (let i = 0; i < basis.length; i += 1) gain -= objective[basis[i]] * table[i][j];
      if (gain > ZERO * size) enter = j;
    }
    if (enter < 0) return true;
    let leave = -1;
    for (let i = 0; i < table.length; i += 1) {
      if (table[i][enter] <= ZERO) continue;
      const ratio = table[i][width] / table[i][enter];
      const best = leave < 0 ? Infinity : table[leave][width] / table[leave][enter];
      if (ratio < best - 1e-13 || (ratio <= best + 1e-13 && (leave < 0 || basis[i] < basis[leave]))) leave = i;
    }
    if (leave < 0) return false;
    pivot(table, basis, leave, enter);
  }
  return true;
}

function pivot(table, basis, row, column) {
  const lead = table[row][column];
  table[row] = table[row].map((x) => x / lead);
  for (let i = 0; i < table.length; i += 1) {
    const part = table[i][column];
    if (i !== row && part !== 0) table[i] = table[i].map((x, j) => x - part * table[row][j]);
  }
  basis[row] = column;
}
