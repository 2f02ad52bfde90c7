// Plan JSON as the page reads it: the names of core/report/plan_json.h, typed, and its reader.
// It must not know how a plan is made or shown.

/** A byte count: exact in plan JSON up to 2^64 - 1, so a bigint where a double would round it. */
export type Count = number | bigint;

export interface Diagnostic {
  severity: 'error' | 'warning' | 'note';
  code: string;
  message: string;
  hint: string;
  /** Bytes of UTF-8. */
  offset: number;
  length: number;
  line: number;
  column: number;
  path: string;
}

export interface PlanOp {
  id: number;
  name: string;
  kind: string;
  class: 'source' | 'point' | 'view' | 'reduce' | 'move' | 'opaque';
  inputs: number[];
  output_shape: Count[];
  dtype: string;
  dtype_bytes: number;
  output_bytes: Count;
  group: number;
  offset: number;
  length: number;
}

export interface Materialized {
  op: number;
  why: 'terminal' | 'output' | 'consumed-outside';
  consumers: number[];
}

export interface PlanGroup {
  members: number[];
  external_inputs: number[];
  external_outputs: number[];
  internal_intermediates: number[];
  bytes_read: Count;
  bytes_written: Count;
  bytes_unfused: Count;
  pattern: string;
  runs: 'kernel' | 'library' | 'none';
  kernel: number | null;
  materialized: Materialized[];
}

export type Reason =
  | 'fused'
  | 'producer-not-fusible'
  | 'consumer-not-fusible'
  | 'shapes-differ'
  | 'would-create-cycle'
  | 'row-domain-differs'
  | 'reads-other-rows'
  | 'larger-than-rows'
  | 'not-a-row-value'
  | 'region-is-closed';

/** The rows that reductions fold: the parts of a tensor's shape, those that are folded and those that are not. */
export type RowDomain = { extent: Count; reduced: boolean }[];

export type Policy = 'rows' | 'regions' | 'elementwise';

export interface PolicyFigures {
  policy: Policy;
  bytes_fused: Count;
  kernels: Count;
  launches: Count;
}

export interface Decision {
  producer: number;
  consumer: number;
  verdict: 'fused' | 'refused';
  reason: Reason;
  together: boolean;
  bytes: Count;
  producer_shape?: Count[];
  consumer_shape?: Count[];
  path?: number[];
  path_total?: number;
  domains?: [RowDomain, RowDomain];
  region?: [number, number];
}

/** Whether both ends could fuse and it is this edge that cannot. */
export function isContested(decision: Decision): boolean {
  return !['fused', 'producer-not-fusible', 'consumer-not-fusible'].includes(decision.reason);
}

export interface KernelParameter {
  name: string;
  role: 'input' | 'output' | 'scalar';
  op: number;
  dtype: string;
  elements: Count;
}

export interface PlanMove {
  walk: 'elements' | 'tiles';
  wide: boolean;
  tile: { side: number; pack: number; column: number; shared_bytes: number } | null;
  parts: { operand: number; extents: Count[]; slots: number; blocks: number }[];
}

/** How the threads of a kernel that reduces share its rows. */
export interface PlanRows {
  domain: RowDomain;
  stores: number[];
  walk: 'held' | 'looped';
  along_rows: boolean;
  slots: number;
  threads: number;
  rows_in_block: number;
  passes: Count;
}

export interface PlanKernel {
  group: number;
  kind: 'kernel' | 'library';
  name: string;
  entry: string;
  emitted: boolean;
  parameters: KernelParameter[];
  loops: { domain: Count[]; stores: number[] }[];
  move: PlanMove | null;
  rows: PlanRows | null;
  bytes_reread: Count;
  grid: number[];
  block: number[];
  shared_mem_bytes: number;
  diagnostics: Diagnostic[];
}

export interface Plan {
  version: number;
  format: string;
  options: { broadcast: boolean; fused: boolean; policy: Policy; target: string; math: string };
  ops: PlanOp[];
  outputs: number[];
  groups: PlanGroup[];
  bytes_unfused: Count;
  bytes_fused: Count;
  bytes_saved: Count;
  speedup_estimate: number;
  policies: PolicyFigures[];
  decisions: Decision[];
  kernels: PlanKernel[];
  diagnostics: Diagnostic[];
}

/** The PTX of one kernel: for each line of the text the op it computes, or -1. */
export interface KernelText {
  entry: string;
  ptx: string;
  lines: number[];
  registers: [number, string][];
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { source: string }) => unknown;

/** Integers that a double cannot hold become bigints (where the browser tells their text; else they are rounded). */
const exactly: Reviver = (_key, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && context && /^\d+$/.test(context.source)
    ? BigInt(context.source)
    : value;

/** Reads JSON of the core, which is compact. Only a text that holds a long integer pays for exactness: ten times the time. */
export function readCoreJson<T>(text: string): T {
  return (/[:,[]\d{16}/.test(text) ? JSON.parse(text, exactly as (key: string, value: unknown) => unknown) : JSON.parse(text)) as T;
}
