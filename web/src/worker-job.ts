// A job of the worker, done in slices of about one length however fast this machine is.
// It must not know what is computed, nor who asks.
import type { Slice } from './protocol.js';

/** What the core offers of a run, and of a scratch launch. */
export interface Work {
  /** Goes on for about `steps` warp instructions; true when it is over. */
  advance(steps: number): boolean;
  json(): string;
  /** Ends it where it is. */
  cancel(): void;
  delete(): void;
}

const SLICE_MS = 30;
const LEAST_STEPS = 1_000;
const MOST_STEPS = 100_000_000;
/** Progress is told this often, and more seldom where it takes long to write. */
const TELL_MS = 120;

export class WorkerJob {
  readonly id: number;
  readonly #work: Work;
  #steps = 20_000;
  #over = false;
  #tellAt = performance.now() + TELL_MS;

  constructor(id: number, work: Work) {
    this.id = id;
    this.#work = work;
  }

  slice(): Slice {
    const start = performance.now();
    this.#over ||= this.#work.advance(this.#steps);
    const now = performance.now();
    const factor = Math.min(4, Math.max(0.25, SLICE_MS / Math.max(1, now - start)));
    this.#steps = Math.round(Math.min(MOST_STEPS, Math.max(LEAST_STEPS, this.#steps * factor)));
    if (this.#over) return { state: 'finished', json: this.#work.json() };
    if (now < this.#tellAt) return { state: 'running', json: null };
    const json = this.#work.json();
    const cost = performance.now() - now;
    this.#tellAt = performance.now() + Math.max(TELL_MS, 10 * cost);
    return { state: 'running', json };
  }

  cancel(): Slice {
    this.#work.cancel();
    const json = this.#work.json();
    return { state: this.#over ? 'finished' : 'cancelled', json };
  }

  delete(): void {
    this.#work.delete();
  }
}
