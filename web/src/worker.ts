// The worker: owns one core, the last text that it could plan and the jobs under way; answers requests in order.
// It must not know the page, nor read what the core writes.
import { load, type Core, type Playground } from '#core';
import type { Answer, JobStart, Options, Request, Slice } from './protocol.js';
import { WorkerJob } from './worker-job.js';

interface Scope {
  postMessage(message: Answer, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
}
const scope = self as unknown as Scope;
const encoder = new TextEncoder();

let loading: Promise<Core> | undefined;
/** Kept while broken texts come and go: the page still shows its plan and asks for its kernels. */
let planned: { id: number; playground: Playground } | undefined;
/** At most one of each kind. The run is of `planned` and goes with it. */
const jobs: { run: WorkerJob | undefined; scratch: WorkerJob | undefined } = { run: undefined, scratch: undefined };

function keep(id: number, playground: Playground): void {
  endJob('run');
  planned?.playground.delete();
  planned = { id, playground };
}

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
  if (ok) keep(request.id, playground);
  else playground.delete();
  const arrays = layout === null ? [] : Object.values(layout).filter((value) => typeof value !== 'number');
  return [answer, arrays.map((array) => array.buffer)];
}

function reopen(core: Core, opened: number, text: string, options: Options): void {
  const playground = core.open(encoder.encode(text), options);
  if (playground.ok()) keep(opened, playground);
  else playground.delete();
}

function endJob(kind: keyof typeof jobs): void {
  jobs[kind]?.delete();
  jobs[kind] = undefined;
}

/** Begins a job; undefined where the text that it is about is gone. */
function begin(core: Core, id: number, start: JobStart): WorkerJob | undefined {
  if (start.ask === 'run-start') {
    endJob('run');
    if (planned?.id !== start.opened) return undefined;
    const { playground } = planned;
    playground.start_run({ seed: start.seed, full: start.full });
    jobs.run = new WorkerJob(id, {
      advance: (steps) => playground.continue_run(steps),
      json: () => playground.run_json(),
      cancel: () => playground.cancel_run(),
      delete: () => playground.cancel_run(),
    });
    return jobs.run;
  }
  endJob('scratch');
  const scratch = core.scratch(start.request_json);
  jobs.scratch = new WorkerJob(id, {
    advance: (steps) => scratch.continue(steps),
    json: () => scratch.json(),
    cancel: () => {},
    delete: () => scratch.delete(),
  });
  return jobs.scratch;
}

/** One slice of a job. What a scratch launch holds is freed as soon as it is over. */
function slice(job: WorkerJob | undefined, act: (job: WorkerJob) => Slice): Slice {
  if (!job) return { state: 'gone', json: null };
  const done = act(job);
  if (done.state !== 'running' && job === jobs.scratch) endJob('scratch');
  return done;
}

async function answer(request: Request): Promise<[Answer, Transferable[]] | undefined> {
  const core = await (loading ??= load());
  const { id } = request;
  const job = (which: number) => [jobs.run, jobs.scratch].find((one) => one?.id === which);
  switch (request.ask) {
    case 'about':
      return [{ id, ask: 'about', about_json: core.about_json(), ops_json: core.ops_json() }, []];
    case 'open':
      return open(core, request);
    case 'reopen':
      reopen(core, request.opened, request.text, request.options);
      return undefined;
    case 'kernel': {
      const kernel_json = planned?.id === request.opened ? planned.playground.kernel_json(request.kernel) : null;
      return [{ id, ask: 'kernel', kernel_json }, []];
    }
    case 'entries':
      return [{ id, ask: 'entries', entries_json: core.ptx_entries_json(request.ptx) }, []];
    case 'run-start':
    case 'scratch-start':
      return [{ id, ask: 'slice', ...slice(begin(core, id, request), (one) => one.slice()) }, []];
    case 'continue':
      return [{ id, ask: 'slice', ...slice(job(request.job), (one) => one.slice()) }, []];
    case 'cancel':
      return [{ id, ask: 'slice', ...slice(job(request.job), (one) => one.cancel()) }, []];
  }
}

let last = Promise.resolve();
scope.onmessage = ({ data }) => {
  last = last.then(async () => {
    try {
      const reply = await answer(data);
      if (reply) scope.postMessage(...reply);
    } catch (error) {
      scope.postMessage({ id: data.id, ask: 'failed', message: String(error) }, []);
    }
  });
};
