// The worker: owns one core and the last text that it could plan, answers requests in order.
// It must not know the page, nor read what the core writes.
import { load, type Core, type Playground } from '#core';
import type { Answer, Request } from './protocol.js';

interface Scope {
  postMessage(message: Answer, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
}
const scope = self as unknown as Scope;
const encoder = new TextEncoder();

let loading: Promise<Core> | undefined;
/** Kept while broken texts come and go: the page still shows its plan and asks for its kernels. */
let planned: { id: number; playground: Playground } | undefined;

function open(core: Core, request: Request & { ask: 'open' }): [Answer, Transferable[]] {
  const start = performance.now();
  const text = encoder.encode(request.text);
  const playground = core.open(text, request.options);
  const ok = playground.ok();
  const layout = ok ? playground.layout() : null;
  const answer: Answer = {
    id: request.id,
    ask: 'open',
    plan_json: ok ? playground.plan_json() : null,
    diagnostics_json: playground.diagnostics_json(),
    layout,
    textBytes: text.length,
    milliseconds: performance.now() - start,
  };
  if (ok) {
    planned?.playground.delete();
    planned = { id: request.id, playground };
  } else {
    playground.delete();
  }
  const arrays = layout === null ? [] : Object.values(layout).filter((value) => typeof value !== 'number');
  return [answer, arrays.map((array) => array.buffer)];
}

async function answer(request: Request): Promise<[Answer, Transferable[]]> {
  const core = await (loading ??= load());
  switch (request.ask) {
    case 'about':
      return [{ id: request.id, ask: 'about', about_json: core.about_json(), ops_json: core.ops_json() }, []];
    case 'open':
      return open(core, request);
    case 'kernel': {
      const kernel_json = planned?.id === request.opened ? planned.playground.kernel_json(request.kernel) : null;
      return [{ id: request.id, ask: 'kernel', kernel_json }, []];
    }
  }
}

let last = Promise.resolve();
scope.onmessage = ({ data }) => {
  last = last.then(async () => {
    try {
      const [reply, transfer] = await answer(data);
      scope.postMessage(reply, transfer);
    } catch (error) {
      scope.postMessage({ id: data.id, ask: 'failed', message: String(error) }, []);
    }
  });
};
