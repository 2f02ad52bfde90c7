// Kernel plan JSON as the page reads it: the names of core/report/kernel_plan_json.h, typed.
// It must not know how a plan is made or shown.
import type { Count, Diagnostic } from './plan.js';

export type Entry = 'operands' | 'dominated';

interface NodeOfKind {
  id: number;
  /** No two alike. */
  label: string;
  kind:
    | 'kernel_launch'
    | 'memcpy'
    | 'memset'
    | 'event_record'
    | 'event_wait'
    | 'host_callback'
    | 'barrier'
    | 'conditional';
  inputs: Count[];
  outputs: Count[];
  cost_hint: Count;
  /** Of a kernel_launch. null: unknown. */
  function_name?: string;
  grid?: number[] | null;
  block?: number[] | null;
  shared_mem_bytes?: number;
  threads?: Count | null;
  fusible?: boolean;
  fusible_is_guess?: boolean;
  /** Of a memcpy. */
  direction?: string;
  /** Of a memcpy or memset. null: unknown. */
  bytes?: Count | null;
  /** Of a conditional. */
  branches?: number[][];
}

export interface KernelNode extends NodeOfKind {
  group: number | null;
  offset: number;
  length: number;
}

export interface RewrittenNode extends NodeOfKind {
  tag: string;
  /** The nodes that became it. */
  members: number[];
}

export interface KernelGroup {
  root: number;
  sink: number;
  members: number[];
  pattern: 'LayerNorm' | 'Softmax' | 'Generic' | 'Chain';
}

export type RegionReason =
  | 'fused'
  | 'member-not-fusible'
  | 'totals-differ'
  | 'total-unknown'
  | 'branches-differ'
  | 'edge-leaks'
  | 'not-dominated'
  | 'no-fan-out'
  | 'already-claimed';

/** Whether a region begins at a root, and what is in the way where none does. */
export interface RegionDecision {
  root: number;
  sink: number | null;
  verdict: 'fused' | 'refused';
  reason: RegionReason;
  member: number | null;
  from: number | null;
  to: number | null;
  path?: number[];
  message: string;
}

/** Refused, though every node that is named could join others: nothing but what lies between them is in the way. */
export function isContested({ reason }: RegionDecision): boolean {
  return !['fused', 'member-not-fusible', 'total-unknown', 'no-fan-out'].includes(reason);
}

export type ChainReason =
  | 'no-reader'
  | 'several-readers'
  | 'next-not-fusible'
  | 'totals-differ'
  | 'branches-differ'
  | 'total-unknown'
  | 'next-belongs-elsewhere';

/** Where a chain from `first` stops; alone where `last` is `first`. */
export interface ChainDecision {
  first: number;
  last: number;
  next: number | null;
  reason: ChainReason;
}

/** `unknown` nodes say nothing and are not in the sum; a sum past 64 bits is null. */
export interface KnownSum {
  sum: Count | null;
  unknown: number;
}

export interface LaunchTotals {
  launches: number;
  copies: number;
  fills: number;
  threads: KnownSum;
  bytes_copied: KnownSum;
  bytes_set: KnownSum;
}

export interface KernelPlan {
  version: number;
  format: 'kernel-graph-json' | 'cuda-graph';
  options: { entry: Entry; fused: boolean; turned: string[] };
  nodes: KernelNode[];
  edges: [number, number][];
  groups: KernelGroup[];
  launches_saved: number;
  decisions: RegionDecision[];
  chains: ChainDecision[];
  totals: LaunchTotals;
  rewritten: { nodes: RewrittenNode[]; edges: [number, number][]; totals: LaunchTotals } | null;
  diagnostics: Diagnostic[];
}
