// Small helpers to make elements; nothing here knows what the page shows.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) element.append(child);
  return element;
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
}

let count = 0;

export function fresh(prefix) {
  count += 1;
  return `mc-${prefix}-${count}`;
}

// Pointer position inside an element, in its own pixels.
export function place(event, element) {
  const box = element.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

// Follow a pointer from press to release; `move` gets each event, the first included.
export function drag(element, start, move, end) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || start(event) === false) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    const follow = (next) => move(next);
    const stop = (next) => {
      element.removeEventListener("pointermove", follow);
      element.removeEventListener("pointerup", stop);
      element.removeEventListener("pointercancel", stop);
      if (end) end(next);
    };
    element.addEventListener("pointermove", follow);
    element.addEventListener("pointerup", stop);
    element.addEventListener("pointercancel", stop);
  });
}
