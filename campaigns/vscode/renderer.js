// Shows the widget where VS Code shows the output of a notebook, as anywidget does: its script taken in as a blob, its
// questions sent through VS Code's channel of messages.

export const activate = (context) => ({
  renderOutputItem: async (item, element) => {
    const made = item.json();
    const model = { get: (key) => made[key], on: (event, listener) => context.onDidReceiveMessage(listener), send: (content) => context.postMessage(content) };
    window.violations = [];
    addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
    const style = document.createElement("style");
    style.textContent = made.css;
    const box = document.createElement("div");
    element.replaceChildren(style, box);
    const { default: widget } = await import(URL.createObjectURL(new Blob([made.esm], { type: "text/javascript" })));
    widget.render({ model, el: box });
  },
});
