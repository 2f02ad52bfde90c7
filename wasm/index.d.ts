// The types of index.mjs, written by hand: the core as a page, a worker or Node sees it.
// It must not know what the page makes of the texts; report/ in the core documents them.

/** A text as a string, or as its bytes in UTF-8. Places in diagnostics count bytes either way. */
export type Text = string | Uint8Array;

export interface Options {
  /** Whether shapes that broadcast may fuse; true unless given. */
  broadcast?: boolean;
  /** false: every op alone; true unless given. */
  fused?: boolean;
  /** One of `targets` in about_json(); sm_90 unless given. */
  target?: string;
  /** fast unless given. */
  math?: 'fast' | 'precise';
  /** How groups are found; rows unless given. */
  policy?: 'rows' | 'regions' | 'elementwise';
  /** Of kernel graphs: whether values that do not depend on a region's root may enter it (operands), or none; operands
   * unless given. */
  entry?: 'operands' | 'dominated';
  /** Of kernel graphs that know no fusible flag: the functions whose guess is the other way round. */
  turned?: string[];
}

/** Coordinates in px, flat. Op i has x[i]; group g has group_x[g], width 0 meaning no box; edge k, the k-th decision of
 * the plan, is the line through the points edge_start[k] .. edge_start[k + 1] - 1, of which point i is edge_points[2 i],
 * edge_points[2 i + 1]. Of a kernel graph the ops are its nodes, then those of the rewritten graph; the edges likewise. */
export interface Layout {
  total_width: number;
  total_height: number;
  x: Float32Array;
  y: Float32Array;
  width: Float32Array;
  height: Float32Array;
  group_x: Float32Array;
  group_y: Float32Array;
  group_width: Float32Array;
  group_height: Float32Array;
  edge_start: Uint32Array;
  edge_points: Float32Array;
}

export interface RunOptions {
  /** Of the input values; 1 unless given. The same seed, the same values. */
  seed?: number;
  /** Every block of every kernel, however long that takes; false unless given: long kernels are sampled. */
  full?: boolean;
}

/** One opened text. Lives in the core's heap until delete(). */
export interface Playground {
  /** Whether there is a plan. */
  ok(): boolean;
  /** {"diagnostics": [{severity, code, message, hint, offset, length, line, column, path}]}: bytes; line and column
   * count from 1. */
  diagnostics_json(): string;
  /** Plan JSON, of a kernel graph kernel plan JSON, or diagnostics_json() where there is no plan. Byte counts in it pass 2^53: JSON.parse rounds them. */
  plan_json(): string;
  /** Graphviz DOT of the graph with its groups; '' where there is no plan. */
  dot(): string;
  /** 0 of a kernel graph: its kernels are someone else's. */
  kernel_count(): number;
  /** {"entry", "ptx", "lines": [op id or -1 for each line of the text], "registers": [[op, "%f3"], ...]}. */
  kernel_json(kernel: number): string;
  /** The PTX text; '' where the kernel is not emitted. */
  kernel_ptx(kernel: number): string;
  /** [{entry, file, group, kind, parameters, grid, block, shared_mem_bytes}], one for each kernel. */
  kernels_json(): string;
  layout(): Layout;
  /** Begins to execute the plan's kernels over seeded inputs, instead of a run that is there. Does nothing where there
   * is no plan. */
  start_run(options?: RunOptions): void;
  /** Goes on for about `steps` warp instructions (100,000 take some tens of milliseconds); true when finished, cancelled
   * or never started. */
  continue_run(steps: number): boolean;
  /** Ends the run where it is; what was found so far stays in run_json(). */
  cancel_run(): void;
  /** Run JSON (core/report/run_json.h) of the run so far, at any time; "state" is "none" before start_run(). */
  run_json(): string;
  /** Frees it; no question may be asked afterwards. */
  delete(): void;
}

/** One launch of any PTX module over buffers of its own. Lives in the core's heap until delete(). */
export interface Scratch {
  /** Goes on for about `steps` warp instructions; true when it finished, faulted, or could not start. */
  continue(steps: number): boolean;
  /** Scratch JSON (core/report/scratch_json.h) so far, at any time. */
  json(): string;
  /** Puts bytes into the buffer of a parameter, from its beginning; what is too much is left out. Before continue(). */
  write(parameter: number, bytes: Uint8Array): void;
  /** The bytes of a parameter's buffer, those never written as 0; empty where it is no buffer. */
  read(parameter: number): Uint8Array;
  delete(): void;
}

export interface Core {
  /** Recognises, reads, validates and plans. Never fails: ask ok(). */
  open(text: Text, options?: Options): Playground;
  /**
   * One line of `plan --jsonl`: {"broadcast", "graph"} in; {"plan": ...} or {"error": "<code>"} out. Of a kernel graph
   * {"entry", "graph"} in; {"plan", "rewritten"} out; `entry` stands before the line's own.
   */
  plan_jsonl_line(line: Text, options?: Pick<Options, 'policy' | 'entry'>): string;
  /** A launch as a scratch request (JSON, core/report/scratch_json.h) asks for it. Never fails: json() tells. */
  scratch(request_json: Text): Scratch;
  /** {"diagnostics", "entries"} of a PTX module: core/report/scratch_json.h. */
  ptx_entries_json(ptx: Text): string;
  /** The op table: [{kind, class, arity, attributes, reference, names}]. */
  ops_json(): string;
  /** {"version", "plan_json", "targets", "formats": [{name, title}]}. */
  about_json(): string;
}

/** Starts a core with a heap of its own. Rejects where it cannot be fetched or compiled.
 * `wasmBinary`: the module's bytes, where they are at hand; else they are fetched, or in Node read, from beside
 * index.mjs. */
export function load(options?: { wasmBinary?: ArrayBuffer | Uint8Array }): Promise<Core>;
