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
}

/** Coordinates in px, flat. Op i has x[i]; group g has group_x[g], width 0 meaning no box; edge k, the k-th decision of
 * the plan, is the line through the points edge_start[k] .. edge_start[k + 1] - 1, of which point i is edge_points[2 i],
 * edge_points[2 i + 1]. */
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

/** One opened text. Lives in the core's heap until delete(). */
export interface Playground {
  /** Whether there is a plan. */
  ok(): boolean;
  /** {"diagnostics": [{severity, code, message, hint, offset, length, line, column, path}]}: bytes; line and column
   * count from 1. */
  diagnostics_json(): string;
  /** Plan JSON, or diagnostics_json() where there is no plan. Byte counts in it pass 2^53: JSON.parse rounds them. */
  plan_json(): string;
  /** Graphviz DOT of the graph with its groups; '' where there is no plan. */
  dot(): string;
  kernel_count(): number;
  /** {"entry", "ptx", "lines": [op id or -1 for each line of the text], "registers": [[op, "%f3"], ...]}. */
  kernel_json(kernel: number): string;
  /** The PTX text; '' where the kernel is not emitted. */
  kernel_ptx(kernel: number): string;
  /** [{entry, file, group, kind, parameters, grid, block, shared_mem_bytes}], one for each kernel. */
  kernels_json(): string;
  layout(): Layout;
  /** Frees it; no question may be asked afterwards. */
  delete(): void;
}

export interface Core {
  /** Recognises, reads, validates and plans. Never fails: ask ok(). */
  open(text: Text, options?: Options): Playground;
  /** One line of `plan --jsonl`: {"broadcast", "graph"} in; {"plan": ...} or {"error": "<code>"} out. */
  plan_jsonl_line(line: Text): string;
  /** The op table: [{kind, class, arity, attributes, reference, names}]. */
  ops_json(): string;
  /** {"version", "plan_json", "targets", "formats": [{name, title}]}. */
  about_json(): string;
}

/** Starts a core with a heap of its own. Rejects where it cannot be fetched or compiled.
 * `wasmBinary`: the module's bytes, where they are at hand; else they are fetched, or in Node read, from beside
 * index.mjs. */
export function load(options?: { wasmBinary?: ArrayBuffer | Uint8Array }): Promise<Core>;
