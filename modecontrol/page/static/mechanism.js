// The mechanism: bodies, joints, walls, contact frames, friction cones, forces and accelerations; bodies can be pulled.

import { arrow, path, turning } from "./arrows.js";
import { drag, h, place, replace, s } from "./dom.js";
import { cone, isContact, lawMarks, loads } from "./laws.js";
import { isUnique, short } from "./numbers.js";

const OPEN = 1e-6;
const MOST_NAMES = 12;
const FORCE = 0.24;                                         // the longest force, in parts of the picture

export function mechanismView(root, describe, pull) {
  const svg = s("svg", { class: "mc-mechanism", role: "img", "aria-label": `${describe.name}, drawn` });
  const caption = h("p", { class: "mc-caption" });
  root.append(svg, caption);
  let frame = null;
  let current = null;

  // The bodies and, where forces are drawn, the longest arrow that each closed contact's cone can hold.
  function fit(geometry, scene, forces, answer) {
    const box = geometry.box.map((pair) => [...pair]);
    for (const [i, body] of geometry.bodies.entries()) {
      for (const point of body.outline) {
        const p = world(scene.poses[i], point);
        const pad = 0.06 * Math.max(box[0][1] - box[0][0], box[1][1] - box[1][0]);
        box.forEach((pair, k) => { pair[0] = Math.min(pair[0], p[k] - pad); pair[1] = Math.max(pair[1], p[k] + pad); });
      }
    }
    const size = Math.max(...box.map(([low, high]) => high - low));
    const hold = (x, k, pad = 0) => { box[k][0] = Math.min(box[k][0], x - pad); box[k][1] = Math.max(box[k][1], x + pad); };
    for (const contact of forces ? scene.contacts : []) {
      const { at, n, t, gap, mu, pull, way, hold: most } = contact;
      if (gap > OPEN * size || !isContact(contact)) continue;
      const wide = Math.max(mu, most || 0);
      const ways = [[-wide, 1], [0, 1], [wide, 1], ...(pull ? [[0, -1]] : []), ...(way ? [[way, 0]] : [])];
      for (const [x, y] of ways) {
        const long = (FORCE * size) / Math.hypot(x, y);
        [0, 1].forEach((k) => hold(at[k] + long * (y * n[k] + x * t[k]), k));
      }
    }
    for (const { end } of pushes(geometry, scene, answer, 1.15 * size)) if (end) [0, 1].forEach((k) => hold(end[k], k));
    return box;
  }

  function draw(reply, letters, answer, show) {
    current = reply;
    svg.hidden = !reply.scene;
    if (!reply.scene) {
      caption.textContent = "There are no bodies to draw: the model is given by its equations.";
      return;
    }
    const { geometry, scene } = reply;
    const box = show.steady ? geometry.box.map((pair) => [...pair]) : fit(geometry, scene, show.forces, show.accelerations ? answer : null);
    const size = Math.max(...box.map(([low, high]) => high - low));
    const names = labels(describe, scene, size, size / 100, letters, show.steady ? geometry.box.map((pair) => [...pair]) : box);
    const [width, height] = box.map(([low, high]) => high - low);
    frame = { box, size };
    svg.setAttribute("viewBox", `${box[0][0]} ${-box[1][1]} ${width} ${height}`);
    const inner = show.steady ? 0.88 : 1;                  // room for names around a picture that does not grow
    if (show.steady) svg.setAttribute("viewBox", `${box[0][0] - ((1 - inner) / 2) * width} ${-box[1][1] - ((1 - inner) / 2) * height} ${(2 - inner) * width} ${(2 - inner) * height}`);
    svg.style.aspectRatio = `${width} / ${Math.min(height, 1.1 * width)}`;
    const unit = size / 100;
    replace(svg, walls(geometry.walls, box, unit), terrain(geometry.ground || [], unit), bodies(geometry, scene, unit),
      lawMarks(scene, size, unit, OPEN), show.cones ? cones(scene, size, unit, letters, answer) : null, show.frames ? frames(scene, size, unit) : null,
      arrows(geometry, scene, answer, show, size, unit), contacts(describe, scene, size, unit, letters), names);
    caption.textContent = captionOf(geometry, scene, answer, show);
  }

  drag(svg, (event) => {
    if (!pull || !current || !current.scene) return false;
    const hit = event.target.closest("[data-body]");
    if (!hit) return false;
    const body = Number(hit.dataset.body);
    const at = toWorld(event, svg, frame);
    svg.pulled = { body, point: local(current.scene.poses[body], at) };
    svg.classList.add("mc-pulling");
    return true;
  }, (event) => {
    if (svg.pulled) pull({ kind: "pull", ...svg.pulled, target: toWorld(event, svg, frame) });
  }, () => {
    svg.pulled = null;
    svg.classList.remove("mc-pulling");
  });
  return { draw };
}

function world([x, y, angle], [px, py]) {
  const [c, sn] = [Math.cos(angle), Math.sin(angle)];
  return [x + c * px - sn * py, y + sn * px + c * py];
}

function local([x, y, angle], [px, py]) {
  const [c, sn] = [Math.cos(angle), Math.sin(angle)];
  return [c * (px - x) + sn * (py - y), -sn * (px - x) + c * (py - y)];
}

function toWorld(event, svg, { box }) {
  const [px, py] = place(event, svg);
  const area = svg.getBoundingClientRect();
  const [width, height] = box.map(([low, high]) => high - low);
  const scale = Math.min(area.width / width, area.height / height);
  const left = (area.width - scale * width) / 2;
  const top = (area.height - scale * height) / 2;
  return [box[0][0] + (px - left) / scale, box[1][1] - (py - top) / scale];
}

function walls(list, box, unit) {
  const middleOf = box.map(([low, high]) => (low + high) / 2);
  const reach = 3 * Math.max(...box.map(([low, high]) => high - low));
  const depth = 4 * unit;
  return s("g", { class: "mc-walls" }, list.map(({ at, t, n }) => {
    const along = (middleOf[0] - at[0]) * t[0] + (middleOf[1] - at[1]) * t[1];
    const foot = [at[0] + along * t[0], at[1] + along * t[1]];
    const end = (sign, down) => [foot[0] + sign * reach * t[0] - down * n[0], foot[1] + sign * reach * t[1] - down * n[1]];
    const strokes = [];
    for (let x = -reach; x < reach; x += 2.2 * unit) {
      const p = [foot[0] + x * t[0], foot[1] + x * t[1]];
      strokes.push(`M${p[0]},${-p[1]}l${-(depth * n[0]) - depth * 0.7 * t[0]},${depth * n[1] + depth * 0.7 * t[1]}`);
    }
    return s("g", {}, s("path", { class: "mc-ground", d: path([end(-1, 0), end(1, 0), end(1, depth), end(-1, depth)]) }),
      s("path", { class: "mc-strokes", d: strokes.join(""), "stroke-width": 0.25 * unit }),
      s("path", { class: "mc-surface", d: path([end(-1, 0), end(1, 0)], false), "stroke-width": 0.5 * unit }));
  }));
}

// Terrain and fixed shapes: what is touched, and a band on its solid side.
function terrain(list, unit) {
  return s("g", { class: "mc-walls" }, list.map(({ line, band }) => s("g", {}, s("path", { class: "mc-ground", d: path(band) }),
    s("path", { class: "mc-surface", d: path(line, false), "stroke-width": 0.5 * unit }))));
}

function bodies(geometry, scene, unit) {
  const drawn = geometry.bodies.map((body, i) => {
    const points = body.outline.map((p) => world(scene.poses[i], p));
    const thin = points.length < 3;
    const disc = thin ? null : discOf(points, scene.discs);
    if (disc) {
      return s("path", { class: "mc-body", d: `${round(disc)}M${disc[0]},${-disc[1]}L${points[0][0]},${-points[0][1]}`, "data-body": i,
        "stroke-width": 0.5 * unit }, s("title", { text: `${body.name}: pull it` }));
    }
    return s("path", { class: thin ? "mc-bar" : "mc-body", d: path(points, !thin), "data-body": i,
      "stroke-width": thin ? 1.4 * unit : 0.5 * unit }, s("title", { text: `${body.name}: pull it` }));
  });
  const discs = scene.discs.map(([x, y, r]) => s("circle", { class: "mc-disc", cx: x, cy: -y, r, "stroke-width": 0.4 * unit }));
  const shapes = geometry.bodies.flatMap((body, i) => (body.shapes || []).map((points) =>
    s("path", { class: "mc-disc", d: path(points.map((p) => world(scene.poses[i], p))), "stroke-width": 0.4 * unit })));
  const joints = scene.joints.map(([x, y]) => s("circle", { class: "mc-joint", cx: x, cy: -y, r: 0.9 * unit, "stroke-width": 0.4 * unit }));
  return s("g", {}, drawn, discs, shapes, joints);
}

// The disc that an outline stands for, when all its corners lie on it: drawn round, with a spoke that shows how it turns.
function discOf(points, discs) {
  return discs.find(([x, y, r]) => points.every((p) => Math.abs(Math.hypot(p[0] - x, p[1] - y) - r) < 0.02 * r)) || null;
}

function round([x, y, r]) {
  return `M${x - r},${-y}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0Z`;
}

function cones(scene, size, unit, letters, answer) {
  const { largest } = answer ? loads(scene, answer) : { largest: 0 };
  return s("g", { class: "mc-cones" }, scene.contacts.map((contact, i) => {
    if (!isContact(contact) || contact.gap > OPEN * size || (contact.mu <= 0 && !contact.hold)) return null;
    return cone(contact, size, unit, letters ? letters[i] : "none", largest > 0 ? (FORCE * size) / largest : 0);
  }));
}

function frames(scene, size, unit) {
  const length = 0.08 * size;
  return s("g", { class: "mc-frames" }, scene.contacts.map((contact) => {
    if (!isContact(contact) || contact.gap > OPEN * size) return null;
    const end = (v, part) => [0, 1].map((k) => contact.at[k] + part * length * v[k]);
    return s("g", {}, arrow(contact.at, end(contact.n, 1), unit, 0.35), arrow(contact.at, end(contact.t, 0.8), unit, 0.35));
  }));
}

// Forces of the chosen answer at the contacts, accelerations at the centres of mass.
function arrows(geometry, scene, answer, show, size, unit) {
  if (!answer) return null;
  const drawn = [];
  if (show.forces) {
    const { all, largest, strongest } = loads(scene, answer);
    all.forEach(({ arrows: forces, torque, open }, i) => {
      const dashes = open ? `${1.6 * unit} ${unit}` : null;
      for (const { at, f } of forces) {
        if (Math.hypot(...f) < 0.01 * largest || largest <= 0) continue;
        const end = [0, 1].map((k) => at[k] + (FORCE * size * f[k]) / largest);
        drawn.push(s("g", { class: "mc-force", "stroke-dasharray": dashes }, arrow(at, end, unit, 0.8)));
      }
      if (Math.abs(torque) > 0.01 * strongest && strongest > 0) {
        drawn.push(s("g", { class: "mc-force", "stroke-dasharray": dashes }, turning(scene.contacts[i].at, torque / strongest, 0.04 * size, unit)));
      }
    });
  }
  if (show.accelerations && answer.drawn.bodies) {
    const fastest = Math.max(0, ...answer.drawn.bodies.map(([, , turn], i) => (heavyOnes(geometry)[i] ? Math.abs(turn) : 0)));
    for (const { centre, end, turn } of pushes(geometry, scene, answer, size)) {
      if (end) drawn.push(s("g", { class: "mc-acceleration" }, arrow(centre, end, unit, 0.7)));
      if (Math.abs(turn) > 0.01 * fastest && fastest > 1e-6) drawn.push(s("g", { class: "mc-acceleration" }, turning(centre, turn / fastest, 0.05 * size, unit)));
    }
  }
  return s("g", {}, drawn);
}

// Bodies with mass carry arrows; massless links would only crowd the picture.
function heavyOnes(geometry) {
  return geometry.bodies.map((body) => body.mass > 0 || geometry.bodies.every((other) => other.mass === 0));
}

// Accelerations of the bodies with mass: arrows from their centres (no end where there is nothing to see), and turning.
function pushes(geometry, scene, answer, size) {
  if (!answer || !answer.drawn.bodies) return [];
  const heavy = heavyOnes(geometry);
  const largest = fastestOf(geometry, answer);
  return answer.drawn.bodies.map(([x, y, turn], i) => {
    const centre = world(scene.poses[i], geometry.bodies[i].com);
    const seen = Math.hypot(x, y) > 0.01 * largest && largest > 1e-6;
    return { centre, end: seen ? [centre[0] + (0.18 * size * x) / largest, centre[1] + (0.18 * size * y) / largest] : null, turn };
  }).filter((_, i) => heavy[i]);
}

function fastestOf(geometry, answer) {
  const heavy = heavyOnes(geometry);
  return Math.max(0, ...answer.drawn.bodies.map(([x, y], i) => (heavy[i] ? Math.hypot(x, y) : 0)));
}

function contacts(describe, scene, size, unit, letters) {
  return s("g", {}, scene.contacts.map((contact, i) => {
    if (contact.nothing) return null;
    const away = contact.gap <= OPEN * size ? "" : " mc-away";
    return s("circle", { class: `mc-contact mc-letter-${letters ? letters[i] : "none"}${away}`, cx: contact.at[0], cy: -contact.at[1],
      r: 1.1 * unit, "stroke-width": 0.4 * unit }, s("title", { text: placeOf(describe.contacts[i], contact) }));
  }));
}

// How far an entry is from being closed, in its own words and unit.
function placeOf({ name, kind, unit }, { gap }) {
  if (kind === "dry") return `${name}: dry friction of the joint`;
  if (kind === "rolling") return `${name}: resistance to rolling`;
  if (kind === "drive") return `${name}: a joint whose motion is prescribed`;
  if (kind === "stop") return `${name}: ${short(gap)} ${unit === "N m" ? "rad" : "m"} from the stop`;
  return kind === "cable" ? `${name}: slack by ${short(gap)} m` : `${name}: gap ${short(gap)} m`;
}

// Names of the contacts on the solid side of what they touch, on the other side or moved on where they would cover each
// other; those of joints beside them. The box grows until it holds them.
function labels(describe, scene, size, unit, letters, box) {
  if (scene.contacts.length > MOST_NAMES) return null;
  const written = [];
  for (const [i, contact] of scene.contacts.entries()) {
    if (contact.nothing) continue;
    const text = letters ? `${describe.contacts[i].name} ${letters[i]}` : describe.contacts[i].name;
    const half = [(0.5 * text.length + 0.6) * 2.05 * unit, 2.1 * unit];
    const closed = contact.gap <= OPEN * size;
    const joint = !isContact(contact);
    const n = joint ? [contact.at[0] < (box[0][0] + box[0][1]) / 2 ? -1 : 1, 0] : contact.n;
    const beside = Math.abs(n[0]) > 0.5;
    const at = (sign, step) => [0, 1].map((k) => contact.at[k] + sign * n[k] * (beside ? half[0] + (joint ? 2.4 : 5) * unit : (6.4 + 4.4 * step) * unit) - (beside && k === 1 ? 2.2 * step * unit : 0));
    const covers = (here) => written.some((other) => [0, 1].every((k) => Math.abs(other.at[k] - here[k]) < other.half[k] + half[k]));
    const sign = closed && !joint ? -1 : 1;
    const places = [at(sign, 0), ...(beside ? [at(-sign, 0)] : []), ...Array.from({ length: 8 }, (_, step) => at(sign, step + 1))];
    const place = places.find((here) => !covers(here)) || places[places.length - 1];
    written.push({ at: place, half, text });
    box.forEach((pair, k) => { pair[0] = Math.min(pair[0], place[k] - half[k]); pair[1] = Math.max(pair[1], place[k] + half[k]); });
  }
  return s("g", {}, written.map(({ at, half, text }) => s("g", { class: "mc-name" },
    s("rect", { x: at[0] - half[0], y: -at[1] - half[1], width: 2 * half[0], height: 2 * half[1], rx: unit }),
    s("text", { x: at[0], y: -at[1] + 1.15 * unit, "font-size": 3.4 * unit, "text-anchor": "middle", text }))));
}

function captionOf(geometry, scene, answer, show) {
  if (!answer) return "";
  const parts = [];
  if (show.forces) {
    const { all, largest, strongest } = loads(scene, answer);
    if (largest > 0) parts.push(`longest force ${short(largest, 3)} N`);
    if (strongest > 0) parts.push(`greatest torque in a joint ${short(strongest, 3)} N m`);
    if (all.some(({ open }) => open)) parts.push("dashed forces are one choice among many");
  }
  if (show.accelerations && answer.drawn.bodies) {
    parts.push(`greatest acceleration of a centre of mass ${short(fastestOf(geometry, answer), 3)} m/s²`);
    if (!Object.values(answer.accelerations).every(isUnique)) parts.push("the motion is one choice among many");
  }
  return parts.join("; ");
}
