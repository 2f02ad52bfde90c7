// Keeps a store's plan in step with its text: waits for a pause in typing, asks the engine, takes in the answer.
// It must not know elements.
import { Engine, type Job } from './engine.js';
import type { KernelPlan } from './kernel-plan.js';
import { KernelPlanIndex, type Guess } from './kernel-plan-index.js';
import { readCoreJson, type Diagnostic, type KernelText, type Plan } from './plan.js';
import { PlanIndex, type AnyIndex } from './plan-index.js';
import type { Options } from './protocol.js';
import type { RunReport } from './run.js';
import type { ScratchEntries, ScratchReport, ScratchRequest } from './scratch.js';
import { carried } from './selection.js';
import type { OpRow, Run, Store } from './store.js';

const PAUSE_MS = 100;

export class Session {
  readonly #store: Store;
  #engine = new Engine();
  #pause: ReturnType<typeof setTimeout> | undefined;
  /** Reads the text of an edit that the pause in typing still holds back. */
  #pending: (() => string) | undefined;
  #kernels = new Map<number, Promise<KernelText | null>>();
  #kernelsOf: AnyIndex | null = null;
  #job: Job | undefined;

  constructor(store: Store) {
    this.#store = store;
    void this.#learnFacts();
  }

  /** A text from outside: it is planned at once and the view starts afresh. */
  show(text: string): void {
    this.#pending = undefined;
    const { document, options } = this.#store.state;
    const own = { ...options, turned: [] }; // guesses were turned for the text before
    this.#store.set({ text, document: document + 1, options: own, selection: null, selectedBy: '' });
    void this.#run();
  }

  /** The text has been edited: it is read once typing pauses. */
  edit(read: () => string): void {
    clearTimeout(this.#pause);
    this.#pending = read;
    this.#pause = setTimeout(() => void this.#run(), PAUSE_MS);
  }

  /** Whatever comes next, an edit under way is not lost: it becomes the text now. */
  #takeEdit(): void {
    clearTimeout(this.#pause);
    const read = this.#pending;
    this.#pending = undefined;
    if (read) this.#store.set({ text: read() });
  }

  setOptions(options: Partial<Options>): void {
    this.#store.set({ options: { ...this.#store.state.options, ...options } });
    void this.#run();
  }

  /** Says that a guess is wrong, or takes that back: the core plans again. */
  turnGuess({ function_name, turned }: Guess): void {
    const { turned: all } = this.#store.state.options;
    this.setOptions({ turned: turned ? all.filter((name) => name !== function_name) : [...all, function_name] });
  }

  cancel(): void {
    this.#takeEdit();
    this.#engine.cancel();
  }

  runAgain(): void {
    void this.#run();
  }

  /** The PTX of a kernel of the plan on show; null where it cannot be had any more. */
  kernelText(kernel: number): Promise<KernelText | null> {
    const { index } = this.#store.state;
    if (index !== this.#kernelsOf) {
      this.#kernels.clear();
      this.#kernelsOf = index;
    }
    if (!index) return Promise.resolve(null);
    let text = this.#kernels.get(kernel);
    if (!text) {
      text = this.#engine
        .kernel(index.opened, kernel)
        .then((json) => {
          if (json !== null) return readCoreJson<KernelText>(json);
          if (index === this.#kernelsOf) this.#kernels.delete(kernel); // the worker was ended: it may be asked again
          return null;
        });
      this.#kernels.set(kernel, text);
    }
    return text;
  }

  /** Runs the kernels of the plan on show; state.run tells how it goes. A newer run or plan takes its place. */
  async startRun({ seed, full }: { seed: number; full: boolean }): Promise<void> {
    const { index } = this.#store.state;
    if (!index) return;
    this.#job?.cancel();
    const run: Run = { seed, full, since: performance.now(), report: null, end: undefined };
    this.#store.set({ run });
    const start = { ask: 'run-start', opened: index.opened, seed, full } as const;
    const job = this.#engine.work(start, (json) => this.#tellRun(job, { report: readCoreJson<RunReport>(json) }));
    this.#job = job;
    const result = await job.done;
    if ('why' in result) this.#tellRun(job, { end: result });
    else
      this.#tellRun(job, {
        report: readCoreJson<RunReport>(result.json),
        end: { why: result.finished ? 'finished' : 'cancelled' },
      });
  }

  #tellRun(job: Job, change: Partial<Run>): void {
    const { run } = this.#store.state;
    if (job === this.#job && run) this.#store.set({ run: { ...run, ...change } });
  }

  cancelRun(): void {
    this.#job?.cancel();
  }

  /** The entries of a PTX module; null where the core stopped over it. */
  async entries(ptx: string): Promise<ScratchEntries | null> {
    const json = await this.#engine.entries(ptx);
    return json === null ? null : readCoreJson<ScratchEntries>(json);
  }

  /** Runs a PTX module by itself. */
  scratch(request: ScratchRequest, tell: (report: ScratchReport) => void): Job {
    const request_json = JSON.stringify(request);
    return this.#engine.work({ ask: 'scratch-start', request_json }, (json) => tell(readCoreJson<ScratchReport>(json)));
  }

  dispose(): void {
    this.#takeEdit();
    this.#engine.dispose();
  }

  async #learnFacts(): Promise<void> {
    const about = await this.#engine.about();
    if (!about) return;
    const { version, targets } = readCoreJson<{ version: string; targets: string[] }>(about.about_json);
    const rows = readCoreJson<OpRow[]>(about.ops_json);
    this.#store.set({ facts: { version, targets, rows: new Map(rows.map((row) => [row.kind, row])) } });
  }

  async #run(): Promise<void> {
    this.#takeEdit();
    this.#job?.cancel();
    const { text, options } = this.#store.state;
    const status = { is: 'running', since: performance.now() } as const;
    this.#store.set({ status });
    const result = await this.#engine.open(text, options);
    const { state } = this.#store;
    if ('why' in result) {
      // A run that was replaced says nothing: its successor will.
      if (result.why !== 'superseded') this.#store.set({ status: { is: 'stopped', stop: result } });
      return;
    }
    const { plan_json, diagnostics_json, layout, textBytes, milliseconds } = result.answer;
    const answered = { textBytes, answeredText: text };
    if (plan_json === null || layout === null) {
      const { diagnostics } = readCoreJson<{ diagnostics: Diagnostic[] }>(diagnostics_json);
      this.#store.set({ ...answered, diagnostics, status: { is: 'broken' } });
      return;
    }
    if (!state.facts) void this.#learnFacts();
    const plan = readCoreJson<Plan | KernelPlan>(plan_json);
    const origin = { layout, opened: result.opened, text, textBytes };
    const index = 'nodes' in plan ? new KernelPlanIndex(plan, origin) : new PlanIndex(plan, origin);
    this.#job = undefined;
    this.#store.set({
      ...answered,
      index,
      diagnostics: plan.diagnostics,
      selection: carried(state.selection, state.index, index),
      status: { is: 'planned', milliseconds },
    });
  }
}
