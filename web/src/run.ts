// Run JSON as the page reads it: the names of core/report/run_json.h, typed.
// It must not know how kernels run, nor how a run is shown.
import type { Count } from './plan.js';

export type RunKind = 'full' | 'sampled' | 'library' | 'fresh' | 'none';
export type RunVerdict = 'pending' | 'verified' | 'held' | 'failed' | 'faulted' | 'skipped' | 'cancelled';

/** JSON has no number for what is not finite. */
export type Real = number | 'inf' | '-inf' | 'nan';

export interface Fault {
  kind: string;
  message: string;
  /** Of the PTX, from 1. */
  line: number;
  block: number[];
  thread: number[];
  address: string | null;
}

export interface Mismatch {
  what: 'value' | 'load' | 'store' | 'unwritten' | 'differs-from-unfused';
  op: number;
  element: Count[];
  line: number;
  operands: { op: number; value: string }[];
  expected: string;
  got: string;
  ulps: Real;
  bound: Real;
  message: string;
}

/** Bytes of one direction. */
export interface Moved {
  promised: Count;
  measured: Count;
  must_be_equal: boolean;
  equal: boolean;
  why_not: string;
}

/** By its names in core/ptx/counters.h. */
export type Counters = { by_class: Record<string, Count> } & { [name: string]: Count | Record<string, Count> };

export interface KernelRun {
  kernel: number;
  entry: string;
  name: string;
  kind: RunKind;
  verdict: RunVerdict;
  /** Which blocks of a sampled kernel ran; what a library call is; why another did not run; or ''. */
  note: string;
  blocks_run: Count;
  blocks: Count;
  elements_held: Count;
  values_held: Count;
  output_elements: Count;
  worst: { op: number; element: Count[]; ulps: Real; bound: Real } | null;
  mismatch: Mismatch | null;
  fault: Fault | null;
  read: Moved;
  written: Moved;
  shrunk: { verdict: RunVerdict; shapes: string; why_not: string } | null;
  counters: Counters | null;
  instructions_per_element: number | null;
  sectors_per_load_request: number | null;
  sectors_per_store_request: number | null;
}

export interface RunReport {
  version: number;
  state: 'none' | 'running' | 'finished' | 'cancelled';
  seed: number;
  full: boolean;
  kernels_done: number;
  kernels_total: number;
  progress: number;
  verified: boolean;
  passed: boolean;
  kernels: KernelRun[];
  fused_equals_unfused: { compared: boolean; equal: boolean; why_not: string; tensors: number; };
}
