// The launch that a scratch asks for: what its form holds, and what it begins with for an entry or a plan's kernel.
// It must not know how the form looks.
import type { PlanKernel } from './plan.js';
import type { ScratchEntry, ScratchParameter } from './scratch.js';

export const dtypes = ['f64', 'f32', 'f16', 'bf16', 'i64', 'i32', 'i16', 'i8', 'u64', 'u32', 'u16', 'u8', 'bool'];
export const fills = ['random', 'zeros', 'iota', 'none', 'value'] as const;
export type Fill = (typeof fills)[number];

/** One parameter as the form holds it: both ways, so that switching loses nothing. */
export interface ParameterForm {
  name: string;
  type: string;
  as: 'buffer' | 'scalar';
  /** Of the scalar, or of the fill `value`. */
  value: string;
  dtype: string;
  count: number;
  fill: Fill;
}

export interface LaunchForm {
  grid: number[];
  block: number[];
  shared_bytes: number;
  seed: number;
  most_steps: number;
  parameters: ParameterForm[];
}

/** Enough for every example; an endless loop ends in a few seconds. */
export const DEFAULT_STEPS = 20_000_000;
const COUNT = 1024;
const SCALAR = '1.25';

/** A first launch: 8 blocks of 128 threads over buffers of 1,024 elements, unless the entry or the kernel says more. */
export function launchFor(entry: ScratchEntry, kernel?: PlanKernel): LaunchForm {
  const known = kernel?.entry === entry.name ? kernel : undefined;
  return {
    grid: three(known?.grid ?? [COUNT / 128]),
    block: three(known?.block ?? entry.block ?? [128]),
    shared_bytes: known?.shared_mem_bytes ?? 0,
    seed: 1,
    most_steps: DEFAULT_STEPS,
    parameters: entry.parameters.map((parameter, at) => parameterFor(parameter, known, at)),
  };
}

/** The launch for a changed text: what the form held stays for the parameters that still are there. */
export function launchAgain(old: LaunchForm, entry: ScratchEntry): LaunchForm {
  const fresh = launchFor(entry);
  const parameters = fresh.parameters.map(
    (parameter) => old.parameters.find(({ name, type }) => name === parameter.name && type === parameter.type) ?? parameter,
  );
  return { ...old, block: entry.block ? three(entry.block) : old.block, parameters };
}

function parameterFor({ name, type }: ScratchEntry['parameters'][number], kernel: PlanKernel | undefined, at: number): ParameterForm {
  const known = kernel?.parameters[at];
  const pointer = /^[bu]64$/.test(type);
  const form: ParameterForm = {
    name,
    type,
    as: pointer ? 'buffer' : 'scalar',
    value: /^f/.test(type) ? '1' : String(COUNT),
    dtype: 'f32',
    count: COUNT,
    fill: 'random',
  };
  if (!known) return form;
  if (known.role === 'scalar') return { ...form, as: 'scalar', value: SCALAR };
  return {
    ...form,
    as: 'buffer',
    dtype: dtypes.includes(known.dtype) ? known.dtype : 'f32',
    count: Number(known.elements),
    fill: known.role === 'output' ? 'none' : 'random',
  };
}

/** What the core calls the type of a scalar parameter: u32 for .b32, i32 for .s32. */
function dtypeOf(type: string): string {
  return type.replace(/^b(?=\d)/, 'u').replace(/^s(?=\d)/, 'i');
}

export function asked({ as, type, dtype, value, count, fill }: ParameterForm): ScratchParameter {
  if (as === 'scalar') return { dtype: dtypeOf(type), value: value.trim() };
  return { dtype, count, fill: fill === 'value' ? Number(value) : fill };
}

function three(extent: number[]): number[] {
  return [extent[0] ?? 1, extent[1] ?? 1, extent[2] ?? 1];
}
