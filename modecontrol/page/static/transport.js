// Questions to Python: over HTTP on the page, over the kernel's channel in a notebook. One question is under way at a
// time; of those that wait, a newer one takes the place of an older one of the same kind.

export function overHttp(address) {
  return async (question) => {
    const reply = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) });
    return reply.json();
  };
}

export function overWidget(model) {
  const waiting = new Map();
  const view = Math.random().toString(36).slice(2);      // a widget may be shown in several places, each with questions of its own
  let count = 0;
  model.on("msg:custom", (message) => {
    const resolve = waiting.get(message.id);
    waiting.delete(message.id);
    if (resolve) resolve(message.answer);
  });
  return (question) => new Promise((resolve) => {
    count += 1;
    const id = `${view}-${count}`;
    waiting.set(id, resolve);
    model.send({ id, question });
  });
}

// `make()` builds the question when its turn comes, so that it starts from the newest state.
export function queue(ask, answered, failed, busy) {
  const waiting = new Map();
  let running = false;
  async function run() {
    if (running) return;
    running = true;
    busy(true);
    while (waiting.size) {
      const [key, make] = waiting.entries().next().value;
      waiting.delete(key);
      try {
        const question = make();
        answered(await ask(question), question);
      } catch (error) {
        failed(error);
      }
    }
    running = false;
    busy(false);
  }
  function send(key, make) {
    waiting.set(key, make);
    run();
  }
  send.waits = (key) => waiting.has(key);                  // a newer question of this kind is still to be asked
  return send;
}
