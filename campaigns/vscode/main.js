// A notebook of one cell in VS Code: what the cell gives is drawn by renderer.js, questions go to the campaign's Python.

const http = require("http");
const vscode = require("vscode");

const PORT = Number(process.env.MODECONTROL_TRIAL);

function post(path, body) {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
    const request = http.request({ host: "127.0.0.1", port: PORT, path, method: "POST", headers }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => resolve(JSON.parse(Buffer.concat(parts).toString())));
    });
    request.on("error", reject);
    request.end(text);
  });
}

exports.activate = (context) => {
  context.subscriptions.push(vscode.workspace.registerNotebookSerializer("trial", {
    deserializeNotebook: (bytes) => new vscode.NotebookData([new vscode.NotebookCellData(vscode.NotebookCellKind.Code, Buffer.from(bytes).toString(), "python")]),
    serializeNotebook: (data) => Buffer.from(data.cells.map((cell) => cell.value).join("\n")),
  }));
  const controller = vscode.notebooks.createNotebookController("modecontrol-trial", "trial", "Trial");
  controller.supportedLanguages = ["python"];
  controller.executeHandler = async (cells) => {
    for (const cell of cells) {
      const run = controller.createNotebookCellExecution(cell);
      run.start(Date.now());
      const made = await post("/widget", {});
      await run.replaceOutput([new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.json(made, "application/vnd.modecontrol.trial+json")])]);
      run.end(true, Date.now());
    }
  };
  const channel = vscode.notebooks.createRendererMessaging("modecontrol.widget");
  context.subscriptions.push(controller, channel.onDidReceiveMessage(async ({ editor, message }) => {
    channel.postMessage({ id: message.id, answer: await post("/ask", message.question) }, editor);
  }));
};
