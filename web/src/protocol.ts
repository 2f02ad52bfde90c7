// What the page and the worker say to each other: one request, one answer with its id.
// It must not know what either does with it.
import type { Layout, Options } from '#core';

export type { Layout, Options };

export type Request =
  | { id: number; ask: 'about' }
  | { id: number; ask: 'open'; text: string; options: Options }
  /** `opened`: the id of the open whose kernel is meant. */
  | { id: number; ask: 'kernel'; opened: number; kernel: number };

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

export type Answer =
  | ({ id: number; ask: 'about' } & About)
  | ({ id: number; ask: 'open' } & Opened)
  /** null: another text has been opened since. */
  | { id: number; ask: 'kernel'; kernel_json: string | null }
  | { id: number; ask: 'failed'; message: string };
