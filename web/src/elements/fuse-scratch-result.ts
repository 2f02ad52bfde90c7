// What came of a scratch launch: its state in a sentence, a fault, the buffers' values, counters.
// It must not know how it was launched.
import { html, nothing, type TemplateResult } from 'lit';
import { bytesText, countText, plural } from '../figures.js';
import type { ScratchBuffer, ScratchReport } from '../scratch.js';
import { visibleText } from '../visible-text.js';
import { countersTable, faultText } from './fault-text.js';
import type { Launched } from './fuse-scratch.js';

interface Acts {
  cancel(): void;
  goToLine(line: number): void;
}

export function scratchResult(launched: Launched | undefined, budget: number, slow: boolean, acts: Acts): TemplateResult | typeof nothing {
  if (!launched) return nothing;
  const { report, end } = launched;
  if (end === undefined) return slow ? progress(report, budget, acts) : nothing;
  return html`
    <section class="result" aria-label="Result">
      ${report?.fault ? faultText(report.fault, acts.goToLine) : nothing}
      ${report?.state === 'failed'
        ? html`<ul>
            ${report.diagnostics.map(
              ({ code, message, hint, line }) => html`<li>
                <code>${code}</code> ${visibleText(message)}${line > 0 ? ` (line ${countText(line)})` : ''}
                ${hint ? html`<span class="quiet">${visibleText(hint)}</span>` : nothing}
              </li>`,
            )}
          </ul>`
        : nothing}
      ${report?.buffers.map(buffer) ?? nothing} ${report?.counters ? countersTable(report.counters) : nothing}
    </section>
  `;
}

/** What it came to, for a place that is there before it is. */
export function scratchSentence(launched: Launched | undefined): TemplateResult | typeof nothing {
  if (launched?.end === undefined) return nothing;
  const { tone, glyph, sentence } = words(launched);
  return html`<p class="verdict ${tone}">
    <span class="glyph" aria-hidden="true">${glyph}</span>
    <span>${sentence}${launched.older ? html` <span class="quiet">The text has been edited since.</span>` : nothing}</span>
  </p>`;
}

function words({ report, end }: Launched): { tone: string; glyph: string; sentence: string } {
  const blocks = report ? `${countText(report.blocks_finished)} of ${plural(Number(report.blocks), 'block')}` : '';
  const steps = report ? plural(Number(report.steps), 'warp instruction') : '';
  if (end?.why === 'crashed') return { tone: 'bad', glyph: '✕', sentence: `The core stopped (${end.message.slice(0, 200)}). The text is kept.` };
  if (end?.why !== 'finished')
    return { tone: 'quiet', glyph: '–', sentence: `Cancelled${report ? ` after ${blocks} and ${steps}` : ''}.` };
  if (report?.state === 'finished')
    return { tone: 'good', glyph: '✓', sentence: `Finished: ${plural(Number(report.blocks), 'block')}, ${steps}.` };
  if (report?.state === 'faulted') return { tone: 'bad', glyph: '!', sentence: `Faulted; ${blocks} finished.` };
  return { tone: 'bad', glyph: '✕', sentence: 'It could not start.' };
}

function progress(report: ScratchReport | null, budget: number, acts: Acts): TemplateResult {
  const steps = Number(report?.steps ?? 0);
  return html`
    <section class="progress" aria-label="Progress">
      <progress max=${Math.max(1, Number(report?.blocks ?? 1))} .value=${Number(report?.blocks_finished ?? 0)} aria-label="Blocks finished"></progress>
      <span class="quiet"
        >${report
          ? `block ${countText(report.blocks_finished)} of ${countText(report.blocks)}, ${countText(steps)} of ${countText(budget)} steps`
          : 'Starting…'}</span
      >
      <button type="button" @click=${acts.cancel}>Cancel</button>
    </section>
  `;
}

function buffer({ name, dtype, count, values, bytes_read, bytes_written }: ScratchBuffer): TemplateResult {
  const shown = visibleText(name);
  const cut = values.length < Number(count) ? `, the first ${countText(values.length)} shown` : '';
  return html`
    <div class="buffer">
      <h3>
        <span class="mono">${shown}</span>
        <span class="quiet">${dtype} × ${countText(count)}${cut} · read ${bytesText(bytes_read)}, written ${bytesText(bytes_written)}</span>
      </h3>
      ${values.length > 0 ? html`<fuse-values label="Values of ${shown}" .values=${values}></fuse-values>` : nothing}
    </div>
  `;
}
