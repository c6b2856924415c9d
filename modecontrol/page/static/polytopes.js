// Sets {x : A x <= b, C x = d} of one, two or three variables, cut to a window: points, segments, polygons, solids.
// For pictures only. Every edge or face remembers the row that made it (-1 for the window), so that it can say its cause.

const TIGHT = 1e-9;

// Hold some variables: the set in those that are left. Rows keep the size that they had with all variables; equalities
// that the held values meet are dropped, and one that they miss leaves nothing.
export function hold(set, keep, values) {
  const cut = (rows, right) => rows.map((row, i) =>
    right[i] - row.reduce((sum, a, j) => (keep.includes(j) ? sum : sum + a * values[j]), 0));
  const pick = (rows) => rows.map((row) => keep.map((j) => row[j]));
  const [A, b, C, d] = [pick(set.A), cut(set.A, set.b), pick(set.C), cut(set.C, set.d)];
  const size = [...(set.size || norms(set.A))];
  const free = C.map((row) => row.some((x) => Math.abs(x) > 1e-12));
  const missed = C.some((_, i) => !free[i] && Math.abs(d[i]) > 1e-7 * Math.max(1, Math.abs(set.d[i])));
  if (missed) {
    A.push(keep.map(() => 0));
    b.push(-1);
    size.push(1);
  }
  const stays = (list) => list.filter((_, i) => free[i]);
  return { ...set, A, b, size, C: stays(C), d: stays(d), of: missed ? [...set.of, []] : set.of, equal: stays(set.equal) };
}

export function norms(rows) {
  return rows.map((row) => Math.hypot(...row) || 1);
}

// Least and greatest value along a line `x = from + t * along`, and the rows that set them; null when it misses the set.
export function chord(set, from, along, low = -Infinity, high = Infinity) {
  let [lowRow, highRow] = [-1, -1];
  for (let i = 0; i < set.A.length; i += 1) {
    const slope = dot(set.A[i], along);
    const room = set.b[i] - dot(set.A[i], from);
    const size = set.size ? set.size[i] : Math.hypot(...set.A[i]) || 1;
    if (Math.abs(slope) <= TIGHT * size) {
      if (room < -TIGHT * Math.max(size, Math.abs(set.b[i]))) return null;
    } else if (slope > 0) {
      if (room / slope < high) [high, highRow] = [room / slope, i];
    } else if (room / slope > low) [low, lowRow] = [room / slope, i];
  }
  return high >= low ? { low, high, lowRow, highRow } : null;
}

// One variable: {low, high, lowRow, highRow}, not cut to any window.
export function interval(set) {
  if (!set.C.length) return chord(set, [0], [1]);
  let value = null;
  for (let i = 0; i < set.C.length; i += 1) {
    if (Math.abs(set.C[i][0]) > TIGHT) value = set.d[i] / set.C[i][0];
    else if (Math.abs(set.d[i]) > 1e-7) return null;
  }
  if (value === null) return chord(set, [0], [1]);
  return chord(set, [value], [1], -1e-7, 1e-7) ? { low: value, high: value, lowRow: -1, highRow: -1 } : null;
}

// Two variables inside a window [[x0, x1], [y0, y1]]: {points, rows} with rows[i] the cause of the edge from i to i + 1.
export function polygon(set, window) {
  const flat = flatPart(set, 2);
  if (flat === null) return null;
  const scale = Math.max(window[0][1] - window[0][0], window[1][1] - window[1][0]);
  if (flat.directions.length === 0) return inside(set, flat.point, window, scale) ? { points: [flat.point], rows: [] } : null;
  if (flat.directions.length === 1) return segment(set, flat, window, scale);
  const [[x0, x1], [y0, y1]] = window;
  let points = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
  let rows = [-1, -1, -1, -1];
  for (let i = 0; i < set.A.length; i += 1) {
    const size = Math.hypot(...set.A[i]);
    const whole = set.size ? set.size[i] : size || 1;
    if (size <= TIGHT * whole) {
      if (set.b[i] < -TIGHT * Math.max(whole, Math.abs(set.b[i]), scale * whole)) return null;
      continue;
    }
    [points, rows] = cut(points, rows, set.A[i], set.b[i], i, TIGHT * scale * size);
    if (points.length < 2) return null;
  }
  return points.length > 2 && area(points) > 1e-12 * scale * scale ? { points, rows } : null;
}

function segment(set, flat, window, scale) {
  const along = flat.directions[0];
  const box = windowRows(window);
  const found = chord({ A: [...set.A, ...box.A], b: [...set.b, ...box.b] }, flat.point, along);
  if (!found || found.high - found.low < -TIGHT * scale) return null;
  const at = (t) => flat.point.map((x, i) => x + t * along[i]);
  if (found.high - found.low <= TIGHT * scale) return { points: [at(found.low)], rows: [] };
  return { points: [at(found.low), at(found.high)], rows: [flat.row] };
}

function inside(set, point, window, scale) {
  if (!window.every(([low, high], i) => point[i] >= low - TIGHT * scale && point[i] <= high + TIGHT * scale)) return false;
  return set.A.every((row, i) => dot(row, point) <= set.b[i] + 1e-7 * Math.max(1, Math.abs(set.b[i])));
}

function windowRows(window) {
  const A = [];
  const b = [];
  window.forEach(([low, high], i) => {
    A.push(window.map((_, j) => (i === j ? 1 : 0)), window.map((_, j) => (i === j ? -1 : 0)));
    b.push(high, -low);
  });
  return { A, b };
}

// Equalities solved: a point of the flat and a basis of its directions; null when they contradict each other.
function flatPart(set, n) {
  let directions = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => (i === j ? 1 : 0)));
  let point = new Array(n).fill(0);
  let row = -1;
  for (let i = 0; i < set.C.length; i += 1) {
    const slopes = directions.map((direction) => dot(set.C[i], direction));
    const left = set.d[i] - dot(set.C[i], point);
    const size = Math.hypot(...set.C[i]);
    const best = slopes.reduce((a, slope, j) => (Math.abs(slope) > Math.abs(slopes[a]) ? j : a), 0);
    if (!directions.length || Math.abs(slopes[best]) <= TIGHT * Math.max(size, 1e-300)) {
      if (Math.abs(left) > 1e-7 * Math.max(1, Math.abs(set.d[i]))) return null;
      continue;
    }
    row = -2 - i;                                          // an equality: -2 is the first
    const chosen = directions[best];
    point = point.map((x, j) => x + (left / slopes[best]) * chosen[j]);
    directions = directions.filter((_, j) => j !== best).map((direction) => {
      const part = dot(set.C[i], direction) / slopes[best];
      const turned = direction.map((x, j) => x - part * chosen[j]);
      const length = Math.hypot(...turned) || 1;
      return turned.map((x) => x / length);
    });
  }
  return { point, directions, row };
}

// Sutherland and Hodgman: the part of a convex polygon with a . x <= b; the new edge is made by row `i`.
export function cut(points, rows, a, b, i, room) {
  const keptPoints = [];
  const keptRows = [];
  for (let k = 0; k < points.length; k += 1) {
    const here = points[k];
    const next = points[(k + 1) % points.length];
    const s0 = dot(a, here) - b;
    const s1 = dot(a, next) - b;
    if (s0 <= room) {
      keptPoints.push(here);
      if (s1 > room) {
        keptRows.push(rows[k]);
        if (s0 < -room) {
          keptPoints.push(between(here, next, s0, s1));
          keptRows.push(i);
        } else keptRows[keptRows.length - 1] = i;
      } else keptRows.push(rows[k]);
    } else if (s1 < -room) {
      keptPoints.push(between(here, next, s0, s1));
      keptRows.push(rows[k]);
    }
  }
  return [keptPoints, keptRows];
}

function between(p, q, s0, s1) {
  const t = s0 / (s0 - s1);
  return p.map((x, i) => x + t * (q[i] - x));
}

// Three variables inside a window: faces [{points, row}], or one face (a polygon, a segment, a point) when flat.
export function solid(set, window) {
  const flat = flatPart(set, 3);
  if (flat === null) return null;
  const scale = Math.max(...window.map(([low, high]) => high - low));
  if (flat.directions.length === 0) {
    return inside(set, flat.point, window, scale) ? [{ points: [flat.point], row: flat.row }] : null;
  }
  if (flat.directions.length === 1) {
    const found = segment(set, flat, window, scale);
    return found ? [{ points: found.points, row: flat.row }] : null;
  }
  const box = windowRows(window);
  const rows = [...set.A.map((a, i) => [a, set.b[i], i]), ...box.A.map((a, i) => [a, box.b[i], -1])];
  if (flat.directions.length === 2) return flatFace(flat, rows, scale);
  let faces = boxFaces(window);
  for (let i = 0; i < set.A.length; i += 1) {
    const size = Math.hypot(...set.A[i]);
    const whole = set.size ? set.size[i] : size || 1;
    if (size <= TIGHT * whole) {
      if (set.b[i] < -TIGHT * Math.max(whole, Math.abs(set.b[i]))) return null;
      continue;
    }
    faces = cutSolid(faces, set.A[i], set.b[i], i, TIGHT * scale * size, scale);
    if (faces.length < 4) return null;
  }
  return faces;
}

function flatFace(flat, rows, scale) {
  const reach = 4 * scale + 2 * Math.hypot(...flat.point);
  const [u, v] = orthonormal(flat.directions);
  const corner = (i, j) => flat.point.map((x, k) => x + reach * (i * u[k] + j * v[k]));
  let points = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
  let edges = [-1, -1, -1, -1];
  for (const [a, b, i] of rows) {
    const size = Math.hypot(...a);
    if (size === 0) continue;
    [points, edges] = cut(points, edges, a, b, i, 1e-8 * scale * size);
    if (points.length < 1) return null;
  }
  return points.length ? [{ points, row: flat.row }] : null;
}

function orthonormal([p, q]) {
  const u = p.map((x) => x / Math.hypot(...p));
  const part = dot(u, q);
  const w = q.map((x, i) => x - part * u[i]);
  return [u, w.map((x) => x / (Math.hypot(...w) || 1))];
}

function boxFaces(window) {
  const corner = (i, j, k) => [window[0][i], window[1][j], window[2][k]];
  const face = (...points) => ({ points, row: -1 });
  return [
    face(corner(0, 0, 0), corner(0, 1, 0), corner(1, 1, 0), corner(1, 0, 0)),
    face(corner(0, 0, 1), corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1)),
    face(corner(0, 0, 0), corner(1, 0, 0), corner(1, 0, 1), corner(0, 0, 1)),
    face(corner(0, 1, 0), corner(0, 1, 1), corner(1, 1, 1), corner(1, 1, 0)),
    face(corner(0, 0, 0), corner(0, 0, 1), corner(0, 1, 1), corner(0, 1, 0)),
    face(corner(1, 0, 0), corner(1, 1, 0), corner(1, 1, 1), corner(1, 0, 1)),
  ];
}

function cutSolid(faces, a, b, row, room, scale) {
  const kept = [];
  const rim = [];
  let touched = false;
  for (const face of faces) {
    const signs = face.points.map((p) => dot(a, p) - b);
    if (signs.every((sign) => sign <= room)) {
      kept.push(face);
      continue;
    }
    touched = true;
    const [points] = cut(face.points, face.points.map(() => -1), a, b, -1, room);
    if (points.length > 2) kept.push({ points, row: face.row });
    for (const p of points) if (Math.abs(dot(a, p) - b) <= 2 * room) rim.push(p);
  }
  if (!touched) return faces;
  for (const face of kept) for (const p of face.points) if (Math.abs(dot(a, p) - b) <= 2 * room) rim.push(p);
  const points = ring(rim, a, 1e-8 * scale);
  if (points.length > 2) kept.push({ points, row });
  return kept;
}

// Distinct points of one plane, in order around their middle.
function ring(points, normal, near) {
  const distinct = [];
  for (const p of points) {
    if (!distinct.some((q) => p.every((x, i) => Math.abs(x - q[i]) <= near))) distinct.push(p);
  }
  if (distinct.length < 3) return distinct;
  const middle = distinct[0].map((_, i) => distinct.reduce((sum, p) => sum + p[i], 0) / distinct.length);
  const k = normal.reduce((best, x, i) => (Math.abs(x) < Math.abs(normal[best]) ? i : best), 0);
  const [u, v] = orthonormal([cross(normal, [0, 1, 2].map((i) => (i === k ? 1 : 0))),
    cross(normal, cross(normal, [0, 1, 2].map((i) => (i === k ? 1 : 0))))]);
  const angle = (p) => Math.atan2(dot(p.map((x, i) => x - middle[i]), v), dot(p.map((x, i) => x - middle[i]), u));
  return distinct.map((p) => [angle(p), p]).sort((x, y) => x[0] - y[0]).map(([, p]) => p);
}

function cross(p, q) {
  return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
}

export function dot(p, q) {
  let sum = 0;
  for (let i = 0; i < p.length; i += 1) sum += p[i] * q[i];
  return sum;
}

export function area(points) {
  let sum = 0;
  for (let i = 0; i < points.length; i += 1) {
    const [x0, y0] = points[i];
    const [x1, y1] = points[(i + 1) % points.length];
    sum += x0 * y1 - x1 * y0;
  }
  return Math.abs(sum) / 2;
}

// Texts of the causes of a row: -1 is the window, -2 and below are equalities.
export function causeOf(set, row, causes) {
  if (row === -1) return null;
  const numbers = row >= 0 ? set.of[row] : set.equal[-2 - row];
  return numbers && numbers.length ? numbers.map((i) => causes[i]).join(", ") : null;
}
