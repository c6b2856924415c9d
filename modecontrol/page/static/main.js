// Ways in: the served page, a notebook, a file.

import { explore } from "./explore.js";
import { at, offline } from "./offline.js";
import { playRuns } from "./player.js";
import { overHttp, overWidget } from "./transport.js";

// The served page.
export async function start(root) {
  const ask = overHttp("/ask");
  const describe = await ask({ ask: "describe" });
  document.title = `${describe.name} – modecontrol`;
  if (describe.replay) playRuns(root, await ask({ ask: "replay" }));
  else explore(root, describe, ask, { links: true });
}

// In a notebook; `model` is the widget's. Keys that are meant for the widget are kept from the notebook's shortcuts (JupyterLab
// asks for the attribute, since its listener comes first).
export function render({ model, el }) {
  const root = document.createElement("div");
  root.dataset.lmSuppressShortcuts = "true";
  root.addEventListener("keydown", (event) => event.stopPropagation());
  el.append(root);
  const [describe, ask] = [JSON.parse(model.get("describe")), overWidget(model)];
  if (describe.replay) ask({ ask: "replay" }).then((data) => playRuns(root, data));
  else explore(root, describe, ask);
}

// A file without Python behind it; `modecontrol.at(tau)` in the browser's console answers like Python's.
export function file(root, data) {
  window.modecontrol = { at: (tau, frame = data.first) => at(data.frames[frame], tau) };
  explore(root, data.describe, offline(data), { links: true });
}

// Finished runs, in a file or in a report; `modecontrol.runs` in the browser's console holds their data.
export function play(root, data) {
  window.modecontrol = { ...window.modecontrol, runs: data.runs };
  playRuns(root, data);
}
