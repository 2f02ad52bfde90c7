// One kernel's row in <fuse-run>, and what opens under it: where the error is, the wrong element or fault, counters.
// It must not know the rows around it, nor how a run is made.
import { html, nothing, type TemplateResult } from 'lit';
import { bytesText, countText, exactBytesText, percentText } from '../figures.js';
import { opLink, shortName } from '../op-link.js';
import type { PlanIndex } from '../plan-index.js';
import type { KernelRun, Mismatch, Moved } from '../run.js';
import { breaksPromise, elementText, figureText, ulpText, verdictOf } from '../run-words.js';
import type { Store } from '../store.js';
import { visibleText } from '../visible-text.js';
import { countersTable, faultText } from './fault-text.js';

export interface RowActs {
  store: Store;
  index: PlanIndex;
  toggle(kernel: number, open: boolean): void;
  goTo(kernel: number, line: number, op?: number): void;
}

export function kernelRow(acts: RowActs, run: KernelRun, open: boolean, marked: boolean): TemplateResult {
  const { glyph, words, tone } = verdictOf(run, acts.index.plan.kernels[run.kernel]?.emitted === true);
  const id = `kernel-${run.kernel}`;
  const name = nameOf(acts.index, run);
  const ours = run.kind === 'full' || run.kind === 'sampled';
  return html`
    <tr role="row" class="kernel ${marked ? 'marked' : ''}">
      <th role="rowheader" scope="row">
        <button
          type="button"
          class="name"
          aria-expanded=${open}
          aria-controls=${id}
          title=${name}
          @click=${() => acts.toggle(run.kernel, !open)}
        >
          <span class="glyph ${tone}" aria-hidden="true">${glyph}</span><span class="mono">${name}</span
          ><span class="chevron" aria-hidden="true">${open ? '▾' : '▸'}</span>
        </button>
        <span class="second"
          ><span class=${tone}>${words}</span>${ours && Number(run.blocks) > 0 ? html` · ${blocksText(run)}` : nothing}</span
        >
      </th>
      ${ours ? figures(run) : html`<td role="cell" class="blank" colspan="5"></td>`}
    </tr>
    <tr role="row" class="opened ${marked ? 'marked' : ''}" id=${id} ?hidden=${!open}>
      <td role="cell" colspan="6">${open ? details(acts, run) : nothing}</td>
    </tr>
  `;
}

function nameOf(index: PlanIndex, run: KernelRun): string {
  const kernel = index.plan.kernels[run.kernel];
  if (run.kind === 'full' || run.kind === 'sampled' || !kernel) return shortName(run.entry || run.name);
  const [first] = index.group(kernel.group).members;
  return shortName(first === undefined ? run.name : index.op(first).name);
}

function blocksText({ blocks_run, blocks }: KernelRun): string {
  if (blocks_run === blocks) return blocks === 1 ? '1 block' : `all ${countText(blocks)} blocks`;
  return `${countText(blocks_run)} of ${countText(blocks)} blocks`;
}

function figures(run: KernelRun): TemplateResult {
  const { worst } = run;
  const cell = (label: string, first: unknown, second: unknown, title = '') => html`<td
    role="cell"
    class="number"
    data-label=${label}
    title=${title || nothing}
  >
    <span>${first}</span><span class="second">${second}</span>
  </td>`;
  const [loads, stores] = [run.sectors_per_load_request, run.sectors_per_store_request];
  return html`
    ${worst
      ? cell('Worst error', html`${ulpText(worst.ulps)} <span class="unit">ULP</span>`, html`bound ${ulpText(worst.bound)}`)
      : run.verdict === 'verified' || run.verdict === 'held'
        ? cell('Worst error', html`0 <span class="unit">ULP</span>`, 'exact')
        : cell('Worst error', '–', '')}
    ${movedCell('Read', run, run.read)} ${movedCell('Written', run, run.written)}
    ${cell(
      'Sectors',
      loads === null ? '–' : html`${figureText(loads)} <span class="unit">ld</span>`,
      stores === null ? '–' : html`${figureText(stores)} <span class="unit">st</span>`,
      'Sectors for one load request, and for one store request',
    )}
    ${cell('Instr.', figureText(run.instructions_per_element), '')}
  `;
}

/** Only of a full run that came to its end are the measured bytes those of the kernel. */
function isMeasured({ kind, verdict, blocks_run, blocks }: KernelRun): boolean {
  return kind === 'full' && (verdict === 'verified' || (verdict === 'failed' && blocks_run === blocks));
}

function movedCell(label: string, run: KernelRun, moved: Moved): TemplateResult {
  const measured = isMeasured(run);
  const wrong = breaksPromise(run, moved);
  const bytes = measured ? moved.measured : moved.promised;
  const words = !measured ? 'promised' : moved.equal ? '= promised' : `≠ ${bytesText(moved.promised)}`;
  return html`<td
    role="cell"
    class="number"
    data-label=${label}
    title="${exactBytesText(bytes)} ${measured ? `measured, ${exactBytesText(moved.promised)} promised` : 'promised, not measured'}"
  >
    <span>${bytesText(bytes)}</span><span class="second ${wrong ? 'bad' : ''}">${words}</span>
  </td>`;
}

function details(acts: RowActs, run: KernelRun): TemplateResult {
  const { index, store } = acts;
  const { mismatch, fault, worst, shrunk, counters } = run;
  const kernel = index.plan.kernels[run.kernel];
  const link = (op: number) => (index.plan.ops[op] ? opLink(store, index, op, 'run') : `op ${op}`);
  if (run.verdict === 'skipped')
    return html`${run.note && !kernel?.diagnostics.some(({ message }) => message === run.note)
        ? html`<p>${sentenceOf(run.note)}</p>`
        : nothing}
      <ul>
        ${kernel?.diagnostics.map(({ code, message }) => html`<li><code>${code}</code> ${visibleText(message)}</li>`)}
      </ul>`;
  return html`
    ${mismatch ? wrongElement(acts, run, mismatch) : nothing}
    ${fault ? faultText(fault, (line) => acts.goTo(run.kernel, line)) : nothing}
    ${worst
      ? html`<p>
          Worst error: ${ulpText(worst.ulps)} of ${ulpText(worst.bound)} ULP, at ${link(worst.op)}<span class="mono"
            >${elementText(worst.element)}</span
          >.
        </p>`
      : nothing}
    <p>${countText(run.values_held)} values of ops and ${countText(run.elements_held)} stored elements held.</p>
    ${run.note ? html`<p>${sentenceOf(run.note)}</p>` : nothing}
    ${movedText(run, 'Read', run.read)} ${movedText(run, 'Written', run.written)}
    ${shrunk
      ? html`<p>
          ${shrunk.why_not
            ? `Not run at smaller sizes: ${visibleText(shrunk.why_not)}.`
            : `At smaller sizes, in full: ${shrunk.verdict}${shrunk.shapes ? ` (${visibleText(shrunk.shapes)})` : ''}.`}
        </p>`
      : nothing}
    ${counters ? countersTable(counters) : nothing}
  `;
}

function movedText(run: KernelRun, what: string, moved: Moved): TemplateResult {
  const why = moved.why_not ? ` ${sentenceOf(moved.why_not)}` : '';
  if (!isMeasured(run)) return html`<p>${what}: ${exactBytesText(moved.promised)} promised, not measured.${why}</p>`;
  const share = moved.equal
    ? ', as promised'
    : `, ${percentText(moved.measured, moved.promised)} of ${exactBytesText(moved.promised)} promised`;
  return html`<p class=${breaksPromise(run, moved) ? 'bad' : ''}>
    ${what}: ${exactBytesText(moved.measured)}${share}.${moved.equal ? '' : why}
  </p>`;
}

/** A reason of the core, which may begin small and lack its full stop. */
function sentenceOf(reason: string): string {
  const text = visibleText(reason.replace(/\.$/, ''));
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

const wrongWhat: Record<Mismatch['what'], string> = {
  value: 'Wrong value',
  load: 'Wrong load',
  store: 'Wrong store',
  unwritten: 'Never written',
  'differs-from-unfused': 'Differs from the unfused run',
};

function wrongElement(acts: RowActs, run: KernelRun, wrong: Mismatch): TemplateResult {
  const { index, store } = acts;
  const link = (op: number) => (index.plan.ops[op] ? opLink(store, index, op, 'run') : `op ${op}`);
  return html`
    <div class="fault">
      <h3>
        <span aria-hidden="true">✕</span> ${wrongWhat[wrong.what]} at ${link(wrong.op)}<span class="mono"
          >${elementText(wrong.element)}</span
        >
      </h3>
      <p>${visibleText(wrong.message)}</p>
      <dl>
        ${wrong.operands.map(
          ({ op, value }) => html`<div><dt>of ${link(op)}</dt><dd>${visibleText(value)}</dd></div>`,
        )}
        <div><dt>expected</dt><dd>${visibleText(wrong.expected)}</dd></div>
        <div><dt>got</dt><dd class="bad">${visibleText(wrong.got)}</dd></div>
        ${wrong.what === 'value'
          ? html`<div><dt>error</dt><dd>${ulpText(wrong.ulps)} of ${ulpText(wrong.bound)} ULP</dd></div>`
          : nothing}
      </dl>
      ${wrong.line > 0
        ? html`<button type="button" class="op" @click=${() => acts.goTo(run.kernel, wrong.line, index.plan.ops[wrong.op] ? wrong.op : undefined)}>
            PTX line ${countText(wrong.line)}
          </button>`
        : nothing}
    </div>
  `;
}

const help: [string, string][] = [
  ['verified', 'every block ran, and every op’s value, load and store held'],
  ['held on a sample', 'some blocks of the emitted PTX ran and held: the first, the last, the tail and a sample'],
  ['worst error', 'the largest share of its bound: an op’s value beside its reference on the same operands, in units in the last place; near zero, where units are tiny, many may be allowed'],
  ['read, written', 'distinct bytes of global memory that the kernel touched, beside what the plan promised'],
  ['sectors', '32-byte pieces of memory that one request of a warp touches: 4 is the least for 32 floats'],
  ['instr.', 'instructions of all threads, divided by the elements computed'],
];

export const figuresHelp = html`
  <section>
    <details>
      <summary>What the figures mean</summary>
      <dl class="help">
        ${help.map(([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>`)}
      </dl>
    </details>
  </section>
`;
