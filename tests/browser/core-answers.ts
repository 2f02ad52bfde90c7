// Answers put in the place of the core's for runs and scratch launches: results that no sound core gives.
// It must not know what a test makes of them.
import type { Page } from 'playwright-core';
import type { KernelRun, RunReport } from '../../web/src/run.js';
import type { ScratchEntries, ScratchReport } from '../../web/src/scratch.js';

interface CoreAnswers {
  /** One for each slice; the last ends the job. */
  run?: RunReport[];
  scratch?: ScratchReport[];
  entries?: ScratchEntries;
}

/** For BoardPage.open: the worker plans as ever, and these answers replace those of its jobs. */
export function answering(answers: CoreAnswers): (page: Page) => Promise<void> {
  return async (page) => {
    await page.addInitScript((given: CoreAnswers) => {
      type Message = { id: number; ask: string; job?: number };
      const Real = Worker;
      const under = new Map<number, { left: unknown[]; last: unknown }>();
      const slice = (job: number, cancelled: boolean) => {
        const one = under.get(job);
        if (!one) return { state: 'gone', json: null };
        one.last = one.left.shift() ?? one.last;
        const state = cancelled ? 'cancelled' : one.left.length === 0 ? 'finished' : 'running';
        return { state, json: JSON.stringify(one.last) };
      };
      globalThis.Worker = class extends Real {
        override postMessage(message: Message, transfer?: unknown): void {
          const { id, ask } = message;
          const tell = (data: object) => setTimeout(() => this.onmessage?.({ data: { id, ...data } } as MessageEvent), 5);
          const begun = ask === 'run-start' ? given.run : ask === 'scratch-start' ? given.scratch : undefined;
          if (begun) under.set(id, { left: [...begun], last: null });
          if (begun) tell({ ask: 'slice', ...slice(id, false) });
          else if (message.job !== undefined && under.has(message.job))
            tell({ ask: 'slice', ...slice(message.job, ask === 'cancel') });
          else if (ask === 'entries' && given.entries) tell({ ask: 'entries', entries_json: JSON.stringify(given.entries) });
          else super.postMessage(message, transfer as Transferable[]);
        }
      };
    }, answers);
  };
}

const moved = { promised: 4096, measured: 4096, must_be_equal: true, equal: true, why_not: '' };

export function kernelRun(change: Partial<KernelRun> = {}): KernelRun {
  return {
    kernel: 0,
    entry: 'kernel_of_a_test',
    name: 'elementwise',
    kind: 'full',
    verdict: 'verified',
    note: '',
    blocks_run: 64,
    blocks: 64,
    elements_held: 4096,
    values_held: 8192,
    output_elements: 4096,
    worst: { op: 0, element: [1, 2], ulps: 0.75, bound: 2 },
    mismatch: null,
    fault: null,
    read: moved,
    written: moved,
    shrunk: null,
    counters: { threads: 4096, warp_instructions: 1000, by_class: { integer: 10, float: 20 } },
    instructions_per_element: 12.5,
    sectors_per_load_request: 16,
    sectors_per_store_request: 16,
    ...change,
  };
}

export function runReport(kernels: KernelRun[], change: Partial<RunReport> = {}): RunReport {
  const wrong = kernels.some(({ verdict }) => verdict === 'failed' || verdict === 'faulted');
  return {
    version: 1,
    state: 'finished',
    seed: 1,
    full: false,
    kernels_done: kernels.length,
    kernels_total: kernels.length,
    progress: 1,
    verified: !wrong && kernels.every(({ verdict, kind }) => verdict === 'verified' || kind === 'library'),
    passed: !wrong,
    kernels,
    fused_equals_unfused: { compared: true, equal: true, why_not: '', tensors: 3 },
    ...change,
  };
}
