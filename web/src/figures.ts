// How counts, shapes and types are written: bytes with binary units, exact counts beside them.
// It must not know where a figure stands on the page.
import type { Count, PlanOp } from './plan.js';

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** 16 MiB, 1.5 KiB, 640 B: three significant digits, no trailing zeros. */
export function bytesText(count: Count): string {
  let value = Number(count);
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${units[unit] ?? ''}`;
}

/** 16,777,216 B: the exact count. */
export function exactBytesText(count: Count): string {
  return `${countText(count)} B`;
}

export function countText(count: Count): string {
  return count.toLocaleString('en-US');
}

export function difference(a: Count, b: Count): Count {
  return typeof a === 'number' && typeof b === 'number' ? a - b : BigInt(a) - BigInt(b);
}

export function sum(a: Count, b: Count): Count {
  return typeof a === 'number' && typeof b === 'number' ? a + b : BigInt(a) + BigInt(b);
}

/** a / b for drawing; 0 where b is 0. */
export function share(a: Count, b: Count): number {
  return Number(b) === 0 ? 0 : Number(a) / Number(b);
}

export function percentText(part: Count, whole: Count): string {
  const percent = share(part, whole) * 100;
  return `${percent > 0 && percent < 1 ? percent.toFixed(1) : Math.round(percent)} %`;
}

export function ratioText(ratio: number): string {
  return `${ratio.toFixed(2)}×`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

export function shapeText(shape: Count[]): string {
  return `[${shape.join(',')}]`;
}

/** f32[1024,512]; where the dtype is only a size, its width: 4B[1024,512]. */
export function typeText(op: PlanOp): string {
  return `${op.dtype === '' ? `${op.dtype_bytes}B` : op.dtype}${shapeText(op.output_shape)}`;
}
