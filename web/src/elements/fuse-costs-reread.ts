// What kernels read again because a row is too long to hold: beside the totals, and at the row of the kernel's group.
// It must not know which rows are too long: every figure is the core's.
import { html, nothing, type TemplateResult } from 'lit';
import { bytesText, exactBytesText, plural, sum } from '../figures.js';
import type { Count, Plan, PlanKernel } from '../plan.js';

const meaning = 'A block holds a row of limited length; of a longer one it reads again what depends on a fold of it. In no other figure here.';
const title = (bytes: Count) => `${exactBytesText(bytes)} read again. ${meaning}`;

/** undefined where nothing is. */
export function rereadInAll({ kernels }: Plan): TemplateResult | undefined {
  const long = kernels.filter(({ bytes_reread }) => Number(bytes_reread) > 0);
  if (long.length === 0) return undefined;
  const bytes = long.reduce<Count>((total, { bytes_reread }) => sum(total, bytes_reread), 0);
  return html`<p class="reread" title=${title(bytes)}>
    + ${bytesText(bytes)} read again by ${plural(long.length, 'kernel')} whose rows are too long to hold
  </p>`;
}

export function rereadBy({ bytes_reread }: PlanKernel): TemplateResult | typeof nothing {
  if (Number(bytes_reread) === 0) return nothing;
  return html`<span class="change quiet" title=${title(bytes_reread)}>+${bytesText(bytes_reread)} again</span>`;
}
