// A launch of any PTX module, as asked and as answered: the names of core/report/run_json.h, typed.
// It must not know the form in which it is filled in, nor how PTX runs.
import type { Count, Diagnostic, PlanKernel } from './plan.js';
import type { Counters, Fault } from './run.js';

export type ScratchParameter =
  | { dtype: string; value: number | string }
  | { dtype: string; count: number; fill: string | number };

export interface ScratchRequest {
  ptx: string;
  entry?: string;
  grid: number[];
  block: number[];
  shared_bytes: number;
  seed: number;
  most_steps: number;
  parameters: ScratchParameter[];
}

export interface ScratchBuffer {
  parameter: number;
  name: string;
  dtype: string;
  count: Count;
  /** At most 4,096; "-" where never written. */
  values: string[];
  bytes_read: Count;
  bytes_written: Count;
}

export interface ScratchReport {
  state: 'running' | 'finished' | 'faulted' | 'failed';
  diagnostics: Diagnostic[];
  fault: Fault | null;
  counters: Counters | null;
  blocks_finished: Count;
  blocks: Count;
  steps: Count;
  buffers: ScratchBuffer[];
}

export interface ScratchEntry {
  name: string;
  parameters: { name: string; type: string; bytes: number }[];
  /** What .reqntid asks for. */
  block: number[] | null;
  /** Static. */
  shared_bytes: number;
}

export interface ScratchEntries {
  diagnostics: Diagnostic[];
  entries: ScratchEntry[];
}

/** A kernel of a plan, to begin with. */
export interface ScratchKernel {
  ptx: string;
  kernel: PlanKernel;
}
