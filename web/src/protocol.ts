// What the page and the worker say to each other: one request, one answer with its id.
// It must not know what either does with it.
import type { Layout, Options } from '#core';

export type { Layout, Options };

/** What begins a job: work in slices, each asked for by the page, so that other requests come between them. */
export type JobStart =
  /** Runs the kernels of the text opened under `opened`. */
  | { ask: 'run-start'; opened: number; seed: number; full: boolean }
  /** Runs a PTX module by itself. */
  | { ask: 'scratch-start'; request_json: string };

export type Request =
  | { id: number; ask: 'about' }
  | { id: number; ask: 'open'; text: string; options: Options }
  /** A text that an ended worker had open, to a new one: it is told without an answer. */
  | { id: number; ask: 'reopen'; opened: number; text: string; options: Options }
  /** `opened`: the id of the open whose kernel is meant. */
  | { id: number; ask: 'kernel'; opened: number; kernel: number }
  | { id: number; ask: 'entries'; ptx: string }
  | ({ id: number } & JobStart)
  /** `job`: the id of its start. */
  | { id: number; ask: 'continue'; job: number }
  | { id: number; ask: 'cancel'; job: number };

/** The answers are the core's JSON as text; only the page reads it. */
export interface Opened {
  plan_json: string | null;
  diagnostics_json: string;
  layout: Layout | null;
  /** Bytes of the text in UTF-8. */
  textBytes: number;
  milliseconds: number;
}

export interface About {
  about_json: string;
  ops_json: string;
}

/** How a job stands after a slice. */
export interface Slice {
  state: 'running' | 'finished' | 'cancelled' /** Another job or text has taken its place. */ | 'gone';
  /** Run JSON or scratch JSON; null where there is nothing to tell yet since the last. */
  json: string | null;
}

export type Answer =
  | ({ id: number; ask: 'about' } & About)
  | ({ id: number; ask: 'open' } & Opened)
  /** null: another text has been opened since. */
  | { id: number; ask: 'kernel'; kernel_json: string | null }
  | { id: number; ask: 'entries'; entries_json: string }
  | ({ id: number; ask: 'slice' } & Slice)
  | { id: number; ask: 'failed'; message: string };
