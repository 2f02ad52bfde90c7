// How nodes of a kernel graph and their figures are worded; what is not known is said to be.
// It must not know where the words stand on the page.
import { bytesText, countText, exactBytesText, plural } from './figures.js';
import type { KnownSum } from './kernel-plan.js';
import type { LaunchOp } from './kernel-plan-index.js';
import type { Count } from './plan.js';

/** "device to device", "event wait". */
export const spaced = (word: string): string => word.replaceAll('_', ' ');

export function threadsText(threads: Count | null | undefined): string {
  return threads === null || threads === undefined ? 'threads unknown' : `${countText(threads)} ${Number(threads) === 1 ? 'thread' : 'threads'}`;
}

function sizeText(bytes: Count | null | undefined): string {
  return bytes === null || bytes === undefined ? 'size unknown' : bytesText(bytes);
}

/** The second line of a node's box. */
export function detailText(op: LaunchOp): string {
  switch (op.kind) {
    case 'kernel_launch':
      return threadsText(op.threads);
    case 'memcpy':
      return `${op.direction ? spaced(op.direction) : 'copy'}, ${sizeText(op.bytes)}`;
    case 'memset':
      return `memset, ${sizeText(op.bytes)}`;
    default:
      return spaced(op.kind);
  }
}

/** "kernel launch that may join others", as a sentence goes on. */
export function fusibleText(op: LaunchOp): string {
  if (op.kind !== 'kernel_launch') return `${spaced(op.kind)}: no kernel joins it`;
  const flag = op.fusible ? 'fusible' : 'not fusible';
  return op.fusible_is_guess ? `kernel launch, ${flag} (a guess from its name)` : `kernel launch, ${flag}`;
}

/** "4 KiB + 1 unknown", and the exact figure for a title. */
export function sumText({ sum, unknown }: KnownSum, of: 'bytes' | 'threads'): { text: string; title: string } {
  if (sum === null) return { text: 'past 2^64', title: 'more than 64 bits hold' };
  const known = of === 'bytes' ? bytesText(sum) : countText(sum);
  const exact = of === 'bytes' ? exactBytesText(sum) : countText(sum);
  if (unknown === 0) return { text: known, title: exact };
  const missing = `${countText(unknown)} unknown`;
  const title = `${exact} known; ${plural(unknown, 'node')} of unknown size not in it`;
  return { text: Number(sum) === 0 ? missing : `${known} + ${missing}`, title };
}
