// <fuse-ptx>: the PTX of each kernel, linked line by line to the ops it computes; target and math to choose.
// It must not know how PTX is written.
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, highlightSpecialChars, keymap, lineNumbers, type DecorationSet } from '@codemirror/view';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { property, state } from 'lit/decorators.js';
import { codeLook, ptxLanguage } from '../editor-look.js';
import { countText, plural } from '../figures.js';
import { opLink, shortName } from '../op-link.js';
import type { Diagnostic, KernelText, PlanKernel } from '../plan.js';
import type { PlanIndex } from '../plan-index.js';
import type { Session } from '../session.js';
import { StoreController } from '../store-controller.js';
import type { Store } from '../store.js';
import { controls } from '../theme.js';
import { ptxStyles } from './fuse-ptx-styles.js';

const MOST_OFFERED = 400;
const markedLine = Decoration.line({ class: 'cm-marked' });
const pointedLine = Decoration.line({ class: 'cm-pointed' });
const setMarked = StateEffect.define<DecorationSet>();
const markedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lines, tr) => tr.effects.reduce((now, effect) => (effect.is(setMarked) ? effect.value : now), lines),
  provide: (field) => EditorView.decorations.from(field),
});

export class FusePtx extends LitElement {
  @property({ attribute: false }) store!: Store;
  /** Whether it is in sight: else it waits with its work until it is. */
  @property({ attribute: false }) active = true;
  @property({ attribute: false }) session!: Session;
  /** Whether there is a scratch to put a kernel into. */
  @property({ attribute: false }) scratch = false;
  @state() private kernel = 0;
  @state() private text: KernelText | null = null;
  @state() private waiting = false;
  @state() private copied: 'no' | 'yes' | 'failed' = 'no';
  #shown: { index: PlanIndex; kernel: number } | undefined;
  #view: EditorView | undefined;
  #displayed: KernelText | undefined;

  static override styles = [controls, ptxStyles];

  constructor() {
    super();
    new StoreController(this, () => this.store, (now, before) => {
      if (now.marked === before.marked && now.ptxLine === before.ptxLine) return;
      const first = now.ptxLine?.kernel ?? [...now.marked.kernels][0];
      if (first !== undefined && (now.ptxLine || !now.marked.kernels.has(this.kernel))) this.kernel = first;
      this.#mark();
    });
  }

  override willUpdate(): void {
    const index = this.#index;
    if (!index) return;
    this.kernel = Math.min(this.kernel, Math.max(0, index.plan.kernels.length - 1));
    if (this.#shown?.index === index && this.#shown.kernel === this.kernel) return;
    const old = this.#shown?.index;
    if (old !== index) this.kernel = this.#sameKernel(old, index);
    const { kernel } = this;
    this.#shown = { index, kernel };
    this.copied = 'no';
    this.text = null; // never one kernel's text under another's name
    this.waiting = index.plan.kernels[kernel]?.emitted === true;
    if (!this.waiting) return;
    void this.session.kernelText(kernel).then((text) => {
      if (this.#shown?.index !== index || this.#shown.kernel !== kernel) return;
      this.text = text;
      this.waiting = false;
    });
  }

  /** In a new plan: the kernel whose entry was on show unless another is selected, or the first with PTX. */
  #sameKernel(old: PlanIndex | undefined, index: PlanIndex): number {
    const { kernels } = index.plan;
    const was = old?.plan.kernels[this.kernel];
    const same = was?.emitted ? kernels.findIndex((kernel) => kernel.entry === was.entry) : -1;
    const chosen = this.store.state.marked.kernels;
    if (same >= 0 && (chosen.size === 0 || chosen.has(same))) return same;
    const [selected] = chosen;
    return selected ?? Math.max(0, kernels.findIndex((kernel) => kernel.emitted));
  }

  override shouldUpdate(): boolean {
    return this.active;
  }

  /** The plan on show, where its kernels are ours. */
  get #index(): PlanIndex | null {
    const { index } = this.store.state;
    return index?.of === 'ops' ? index : null;
  }

  override render() {
    const index = this.#index;
    if (this.store.state.index?.of === 'launches')
      return html`<p class="empty">A kernel graph names its kernels and not what they compute, so there is no PTX.</p>`;
    if (!index) return html`<p class="empty">PTX appears here once the graph can be planned.</p>`;
    const { kernels } = index.plan;
    const kernel = kernels[this.kernel];
    if (!kernel) return html`${this.#choices()}<p class="empty">This graph launches nothing, so there is no PTX.</p>`;
    return html`
      ${this.#choices(kernel)}
      <div class="row">
        <label class="which">
          <span class="visually-hidden">Kernel</span>
          <select
            @change=${(event: Event) => this.#choose(Number((event.target as HTMLSelectElement).value))}
          >
            ${this.#offered(kernels.length).map(
              (id) =>
                html`<option value=${id} .selected=${id === this.kernel}>${this.#title(index, index.kernel(id))}</option>`,
            )}
          </select>
        </label>
        <button
          type="button"
          aria-label="Previous kernel"
          ?disabled=${this.kernel === 0}
          @click=${() => this.#choose(this.kernel - 1)}
        >
          ‹
        </button>
        <span class="quiet">${countText(this.kernel + 1)} of ${countText(kernels.length)}</span>
        <button
          type="button"
          aria-label="Next kernel"
          ?disabled=${this.kernel + 1 === kernels.length}
          @click=${() => this.#choose(this.kernel + 1)}
        >
          ›
        </button>
        <button type="button" ?disabled=${!this.text || !this.store.asChosen} @click=${() => void this.#copy()}>
          ${{ no: 'Copy', yes: 'Copied', failed: 'Copy failed' }[this.copied]}
        </button>
      </div>
      ${this.#older(index)} ${this.#facts(index, kernel)} ${this.#whyNot(index, kernel)}
      <div class="editor" ?hidden=${!this.text}></div>
    `;
  }

  /** Says so where the text on show is not that of the text and options chosen. */
  #older(index: PlanIndex) {
    const { target, math, fused } = index.plan.options;
    if (this.store.asChosen && !this.store.stale) return nothing;
    return html`<p class="note">
      ${this.store.stale ? 'PTX of the last text that could be planned' : 'PTX of the last plan'}: ${target}, ${math},
      ${fused ? 'fused' : 'unfused'}.
    </p>`;
  }

  /** The kernels around the one on show. */
  #offered(count: number): number[] {
    const first = Math.max(0, this.kernel - MOST_OFFERED / 2);
    return Array.from({ length: Math.min(MOST_OFFERED, count - first) }, (_, at) => first + at);
  }

  #title(index: PlanIndex, kernel: PlanKernel): string {
    if (kernel.emitted) return shortName(kernel.entry);
    const [first] = index.group(kernel.group).members;
    const name = first === undefined ? '' : index.op(first).name;
    return shortName(`${kernel.name} ${name} (${kernel.kind === 'library' ? 'library call' : 'no PTX'})`);
  }

  #choices(kernel?: PlanKernel) {
    const { options, facts } = this.store.state;
    const targets = facts?.targets ?? [options.target];
    const value = (event: Event) => (event.target as HTMLSelectElement).value;
    return html`
      <div class="row">
        <label
          >target
          <select @change=${(event: Event) => this.session.setOptions({ target: value(event) })}>
            ${targets.map((target) => html`<option ?selected=${target === options.target}>${target}</option>`)}
          </select></label
        >
        <label
          >math
          <select
            title="fast contracts and approximates; precise rounds every operation by itself"
            @change=${(event: Event) =>
              this.session.setOptions({ math: value(event) === 'precise' ? 'precise' : 'fast' })}
          >
            ${['fast', 'precise'].map((math) => html`<option ?selected=${math === options.math}>${math}</option>`)}
          </select></label
        >
        ${this.scratch && kernel
          ? html`<button
              type="button"
              class="to-scratch"
              title="A copy of this kernel, to change and to run"
              ?disabled=${!this.text}
              @click=${() => this.#toScratch(kernel)}
            >
              Edit in scratch
            </button>`
          : nothing}
      </div>
    `;
  }

  #facts(index: PlanIndex, kernel: PlanKernel) {
    const size = (extent: number[]) => extent.join(' × ');
    return html`
      <details>
        <summary>
          ${kernel.kind === 'library'
            ? html`a library call with ${plural(kernel.parameters.length, 'parameter')}`
            : html`grid ${size(kernel.grid)}, block ${size(kernel.block)},
              ${plural(kernel.parameters.length, 'parameter')}${kernel.shared_mem_bytes > 0
                ? `, ${countText(kernel.shared_mem_bytes)} B shared`
                : ''}`}
        </summary>
        <table>
          ${kernel.parameters.slice(0, 200).map(
            (parameter, at) => html`<tr>
              <td class="number quiet">${at}</td>
              <td>${parameter.role}</td>
              <td>${index.plan.ops[parameter.op] ? opLink(this.store, index, parameter.op, 'ptx') : parameter.name}</td>
              <td class="mono">${parameter.dtype}</td>
              <td class="number">${countText(parameter.elements)}</td>
            </tr>`,
          )}
        </table>
      </details>
    `;
  }

  #whyNot(index: PlanIndex, kernel: PlanKernel) {
    if (kernel.emitted && (this.text || this.waiting)) return nothing;
    if (kernel.emitted)
      return html`<p class="note">The PTX of this plan is not at hand. It returns with the next plan.</p>`;
    const { members } = index.group(kernel.group);
    const op = members[0] === undefined ? undefined : index.op(members[0]);
    return html`
      <div class="note">
        ${kernel.kind === 'library'
          ? html`<p>
              <code>${op?.kind}</code> is no elementwise op: it runs as a kernel of its own, from a library. Fuseboard
              prices it and writes no PTX.
            </p>`
          : html`<p>No PTX is written for this kernel.</p>`}
        <ul>
          ${kernel.diagnostics.map(
            ({ code, message, hint }: Diagnostic) =>
              html`<li><code>${code}</code> ${message} ${hint ? html`<span class="quiet">${hint}</span>` : nothing}</li>`,
          )}
        </ul>
      </div>
    `;
  }

  #choose(kernel: number): void {
    this.kernel = kernel;
    this.store.select({ kind: 'kernel', kernel }, 'ptx');
  }

  override updated(changed: PropertyValues): void {
    if (this.text && this.text !== this.#displayed) this.#show(this.text);
    else if (changed.has('active')) this.#mark(); // what is out of sight does not scroll
  }

  #show(text: KernelText): void {
    const parent = this.renderRoot.querySelector('.editor');
    if (!parent) return;
    this.#displayed = text;
    if (this.#view && !parent.contains(this.#view.dom)) {
      this.#view.destroy();
      this.#view = undefined;
    }
    this.#view ??= new EditorView({ parent, root: this.renderRoot as ShadowRoot });
    this.#view.setState(
      EditorState.create({
        doc: text.ptx,
        extensions: [
          lineNumbers(),
          highlightSpecialChars(),
          search({ top: true }),
          keymap.of(searchKeymap),
          ptxLanguage,
          markedLines,
          codeLook,
          EditorState.readOnly.of(true),
          EditorState.tabSize.of(4),
          EditorView.contentAttributes.of({ 'aria-label': `PTX of ${text.entry.slice(0, 100)}`, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (!update.transactions.some((tr) => tr.isUserEvent('select'))) return;
            const op = text.lines[update.state.doc.lineAt(update.state.selection.main.head).number - 1] ?? -1;
            if (op >= 0) this.store.select({ kind: 'op', op }, 'ptx');
          }),
        ],
      }),
    );
    this.#mark();
  }

  /** Marks the lines that compute what is selected; all of them is no mark. */
  #mark(): void {
    const view = this.#view;
    const { text } = this;
    const { marked, selection, selectedBy, ptxLine } = this.store.state;
    if (!view || !text || text !== this.#displayed) return;
    const some = selection?.kind === 'op' || selection?.kind === 'edge' || selection?.kind === 'pair';
    const lines: number[] = [];
    if (some)
      text.lines.forEach((op, line) => {
        if (op >= 0 && marked.ops.has(op) && line < view.state.doc.lines) lines.push(line + 1);
      });
    const ranges = lines.map((line) => markedLine.range(view.state.doc.line(line).from));
    const pointed = ptxLine?.kernel === this.kernel && ptxLine.line <= view.state.doc.lines ? ptxLine.line : undefined;
    if (pointed !== undefined) ranges.push(pointedLine.range(view.state.doc.line(pointed).from));
    const effects: StateEffect<unknown>[] = [setMarked.of(Decoration.set(ranges, true))];
    const target = pointed ?? lines[0];
    if (target !== undefined && selectedBy !== 'ptx')
      effects.push(EditorView.scrollIntoView(view.state.doc.line(target).from, { y: 'center' }));
    view.dispatch({ effects });
  }

  #toScratch(kernel: PlanKernel): void {
    if (!this.text) return;
    this.store.set({ scratch: { ptx: this.text.ptx, kernel } });
    this.dispatchEvent(new CustomEvent('fuse-open', { detail: 'scratch', bubbles: true, composed: true }));
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text?.ptx ?? '');
      this.copied = 'yes';
    } catch {
      this.copied = 'failed';
    }
  }
}
