// The state of one board: its text, its last good plan, what is wrong, what is selected; and who wants to know.
// It must not know elements, nor who computes a plan.
import type { Diagnostic } from './plan.js';
import type { AnyIndex } from './plan-index.js';
import type { Options } from './protocol.js';
import { marked, nothingMarked, type Marked, type Selection } from './selection.js';
import type { Stop } from './engine.js';
import type { RunReport } from './run.js';
import type { ScratchKernel } from './scratch.js';

/** A row of the core's op table, as ops_json() has it. */
export interface OpRow {
  kind: string;
  class: string;
  reference: string;
}

export interface Facts {
  version: string;
  targets: string[];
  rows: ReadonlyMap<string, OpRow>;
}

/** How the plan on show relates to the text. */
export type Status =
  | { is: 'starting' }
  | { is: 'running'; since: number }
  | { is: 'planned'; milliseconds: number }
  /** The text cannot be planned: the plan on show is an older text's. */
  | { is: 'broken' }
  | { is: 'stopped'; stop: Stop };

/** A run of the kernels of the plan on show. */
export interface Run {
  seed: number;
  full: boolean;
  /** performance.now() at its start. */
  since: number;
  /** What is known so far. */
  report: RunReport | null;
  /** undefined while it goes on. */
  end: { why: 'finished' } | Stop | undefined;
}

export interface State {
  text: string;
  /** Counts the texts put in from outside (an example, an attribute), so that the view starts afresh for each. */
  document: number;
  options: Required<Options>;
  index: AnyIndex | null;
  diagnostics: Diagnostic[];
  /** The text that `diagnostics` are about, and its bytes in UTF-8. */
  answeredText: string;
  textBytes: number;
  status: Status;
  selection: Selection | null;
  /** What the selection marks, kept in step. */
  marked: Marked;
  /** Which pane made the selection: it need not scroll to it. */
  selectedBy: string;
  facts: Facts | null;
  run: Run | null;
  /** A line of a kernel's PTX that another pane asks to be shown; from 1. */
  ptxLine: { kernel: number; line: number } | null;
  /** A kernel that another pane puts into the scratch. */
  scratch: ScratchKernel | null;
}

export class Store {
  #state: State = {
    text: '',
    document: 0,
    options: { broadcast: true, fused: true, policy: 'rows', target: 'sm_90', math: 'fast', entry: 'operands', turned: [] },
    index: null,
    textBytes: 0,
    diagnostics: [],
    answeredText: '',
    status: { is: 'starting' },
    selection: null,
    marked: nothingMarked,
    selectedBy: '',
    facts: null,
    run: null,
    ptxLine: null,
    scratch: null,
  };
  #listeners = new Set<(state: State, before: State) => void>();

  get state(): Readonly<State> {
    return this.#state;
  }

  set(change: Partial<Omit<State, 'marked'>>): void {
    const before = this.#state;
    const now = { ...before, ...change };
    if (now.index !== before.index || now.selection !== before.selection)
      now.marked = marked(now.index, now.selection);
    if (now.index !== before.index) Object.assign(now, { run: null, ptxLine: null });
    else if (now.selection !== before.selection && !change.ptxLine) now.ptxLine = null;
    this.#state = now;
    for (const listener of [...this.#listeners]) listener(now, before);
  }

  select(selection: Selection | null, selectedBy: string): void {
    this.set({ selection, selectedBy });
  }

  /** Whether the plan on show is of an older text: the last answer was none, or there was no answer. */
  get stale(): boolean {
    const { index, answeredText, text, status } = this.#state;
    if (index === null) return false;
    return index.text !== answeredText || (status.is === 'stopped' && index.text !== text);
  }

  /** Whether the plan on show was made with the options that the controls show. */
  get asChosen(): boolean {
    const { index, options } = this.#state;
    return index !== null && index.madeWith(options);
  }

  /** Calls `listener` after every change; the answer ends that. */
  listen(listener: (state: State, before: State) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
