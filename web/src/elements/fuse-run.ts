// <fuse-run>: executes the plan's kernels and shows what that proved: one sentence, a row per kernel, progress, cancel.
// It must not know how kernels run: every figure and verdict is the core's.
import { html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { countText, plural } from '../figures.js';
import type { PlanIndex } from '../plan-index.js';
import type { KernelRun } from '../run.js';
import { isWrong, overall } from '../run-words.js';
import type { Session } from '../session.js';
import { StoreController } from '../store-controller.js';
import type { Run, Store } from '../store.js';
import { controls } from '../theme.js';
import { visibleText } from '../visible-text.js';
import { figuresHelp, kernelRow, type RowActs } from './fuse-run-row.js';
import { runStyles } from './fuse-run-styles.js';
import { faultStyles } from './fault-styles.js';
import { bringIntoSight } from './pane-scroll.js';
import { paneStyles } from './pane-styles.js';
import { staleNote } from './stale-note.js';

const AT_ONCE = 100;
/** A shorter run shows no progress. */
const SLOW_MS = 500;
const MOST_SEED = 2 ** 32 - 1;

export class FuseRun extends LitElement {
  @property({ attribute: false }) store!: Store;
  @property({ attribute: false }) session!: Session;
  /** Whether it is in sight: else it waits with its work until it is. */
  @property({ attribute: false }) active = true;
  @state() private full = false;
  @state() private seed = 1;
  @state() private slow = false;
  @state() private shown = AT_ONCE;
  /** Rows opened or shut by hand; a wrong one is open of itself. */
  @state() private opened = new Map<number, boolean>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reveal = false;

  static override styles = [controls, paneStyles, faultStyles, runStyles];

  constructor() {
    super();
    new StoreController(this, () => this.store, (now, before) => {
      if (now.run?.since !== before.run?.since) {
        this.opened = new Map();
        this.slow = false;
        clearTimeout(this.#timer);
        if (now.run) this.#timer = setTimeout(() => (this.slow = true), SLOW_MS);
      }
      const { selection, selectedBy } = now;
      if (selection && selection !== before.selection && selectedBy !== 'run' && selectedBy !== '') this.#reveal = true;
    });
  }

  override shouldUpdate(): boolean {
    return this.active;
  }

  override updated(): void {
    if (!this.#reveal) return;
    this.#reveal = false;
    bringIntoSight(this, this.renderRoot.querySelector('tr.marked'));
  }

  override render() {
    const { index, run } = this.store.state;
    if (index?.of === 'launches')
      return html`<p class="empty">A kernel graph names its kernels and not what they compute, so there is nothing to run.</p>`;
    if (!index) return html`<p class="empty">A run of the kernels starts here once the graph can be planned.</p>`;
    return html`
      ${staleNote(this.store)}
      <section aria-label="Run">
        ${this.#controls(index, run)}
        <div class="verdict" role="status">${this.#verdict(run)}</div>
        ${this.#progress(run)}
        ${run ? nothing : this.#before(index)}
      </section>
      ${run?.report ? this.#kernels(index, run.report.kernels) : nothing}
      ${run?.report && run.end ? this.#unfused(run) : nothing}
      ${run?.report ? figuresHelp : nothing}
    `;
  }

  #controls(index: PlanIndex, run: Run | null) {
    const going = run !== null && run.end === undefined;
    return html`
      <form
        class="controls"
        @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          if (!going && index.plan.kernels.length > 0) void this.session.startRun({ seed: this.seed, full: this.full });
        }}
      >
        <button type="submit" class="primary" aria-disabled=${going || index.plan.kernels.length === 0}>
          ${run ? 'Run again' : 'Run'}
        </button>
        <label title="Every block of every kernel, however long that takes. Else long kernels run a sample of their blocks."
          ><input
            type="checkbox"
            .checked=${this.full}
            @change=${(event: Event) => (this.full = (event.target as HTMLInputElement).checked)}
          />all blocks</label
        >
        <label class="seed" title="Of the input values: the same seed, the same values"
          >seed
          <input
            type="number"
            min="0"
            max=${MOST_SEED}
            .value=${String(this.seed)}
            @change=${(event: Event) => this.#setSeed(event.target as HTMLInputElement)}
        /></label>
      </form>
    `;
  }

  #setSeed(input: HTMLInputElement): void {
    const seed = Math.round(Number(input.value));
    this.seed = Number.isFinite(seed) ? Math.min(MOST_SEED, Math.max(0, seed)) : 1;
    input.value = String(this.seed);
  }

  #before(index: PlanIndex) {
    const { kernels } = index.plan;
    return html`<p class="quiet meaning">
      ${kernels.length === 0
        ? 'This graph launches nothing, so there is nothing to run.'
        : `Executes the PTX of the ${plural(kernels.length, 'launch', 'launches')} here, on seeded inputs: every op's value is
          held against its reference, every load and store against the graph, and the bytes moved against the plan.`}
    </p>`;
  }

  #verdict(run: Run | null) {
    if (!run) return nothing;
    const verdict = overall(run);
    if (!verdict) return this.slow ? html`<span class="visually-hidden">Running</span>` : nothing;
    return html`<p class=${verdict.tone}>
      <span class="glyph" aria-hidden="true">${verdict.glyph}</span> <span>${verdict.sentence}</span>
    </p>`;
  }

  #progress(run: Run | null) {
    if (!run || run.end !== undefined || !this.slow) return nothing;
    const { report } = run;
    const at = report ? Math.min(report.kernels_done + 1, report.kernels_total) : 0;
    const now = report?.kernels.find(({ verdict, blocks_run }) => verdict === 'pending' && blocks_run > 0);
    return html`
      <div class="progress">
        <progress max="1" .value=${report?.progress ?? 0} aria-label="Progress of the run"></progress>
        <span class="quiet"
          >${report
            ? html`launch ${countText(at)} of ${countText(report.kernels_total)}${now
                ? html`, block ${countText(now.blocks_run)} of ${countText(now.blocks)}`
                : nothing}`
            : 'Starting…'}</span
        >
        <button type="button" @click=${() => this.session.cancelRun()}>Cancel</button>
      </div>
    `;
  }

  #kernels(index: PlanIndex, runs: KernelRun[]) {
    const { marked } = this.store.state;
    const visible = runs.slice(0, this.shown);
    const rest = runs.length - visible.length;
    // What is wrong or selected is shown even where the list is cut short of it.
    const behind = runs.slice(this.shown).filter((run) => isWrong(run) || marked.kernels.has(run.kernel)).slice(0, 20);
    const acts: RowActs = {
      store: this.store,
      index,
      toggle: (kernel, open) => {
        this.opened = new Map(this.opened).set(kernel, open);
        this.store.select({ kind: 'kernel', kernel }, 'run');
      },
      goTo: (kernel, line, op) => this.#goTo(kernel, line, op),
    };
    return html`
      <section class="kernels" aria-label="Kernels">
        <table role="table" aria-label="Kernels that ran">
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col">Kernel</th>
              <th role="columnheader" scope="col" class="number" title="The largest error as a share of its bound, in units in the last place">
                Worst error
              </th>
              <th role="columnheader" scope="col" class="number" title="Distinct bytes read, measured, and what the plan promised">Read</th>
              <th role="columnheader" scope="col" class="number" title="Distinct bytes written, measured, and what the plan promised">Written</th>
              <th role="columnheader" scope="col" class="number" title="32-byte sectors that one warp's load or store touches">Sectors</th>
              <th role="columnheader" scope="col" class="number" title="Thread instructions for one element of the output">Instr.</th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            ${[...behind, ...visible].map((run) =>
              kernelRow(acts, run, this.opened.get(run.kernel) ?? isWrong(run), marked.kernels.has(run.kernel)),
            )}
          </tbody>
        </table>
        ${rest > 0
          ? html`<button type="button" class="more" @click=${() => (this.shown += 5 * AT_ONCE)}>
              Show more (${plural(rest, 'kernel')} left)
            </button>`
          : nothing}
      </section>
    `;
  }

  #unfused({ report }: Run) {
    if (!report) return nothing;
    const { compared, equal, tensors } = report.fused_equals_unfused;
    const why_not = visibleText(report.fused_equals_unfused.why_not.replace(/\.$/, ''));
    return html`<section class="unfused" aria-label="Fused against unfused">
      <p class=${compared ? (equal ? 'good' : 'bad') : 'quiet'}>
        <span class="glyph" aria-hidden="true">${compared ? (equal ? '✓' : '✕') : '–'}</span>
        <span
          >${compared
            ? equal
              ? `Fused equals unfused, bit for bit, in ${plural(tensors, 'tensor')}.`
              : `Fused and unfused differ, over ${plural(tensors, 'tensor')}${why_not ? `: ${why_not}` : ''}.`
            : `Fused was not compared with unfused${why_not ? `: ${why_not}` : ''}.`}</span
        >
      </p>
    </section>`;
  }

  /** Shows a line of a kernel's PTX, with the op that it computes selected. */
  #goTo(kernel: number, line: number, op: number | undefined): void {
    const selection = op === undefined ? ({ kind: 'kernel', kernel } as const) : ({ kind: 'op', op } as const);
    this.store.set({ selection, selectedBy: 'run', ptxLine: { kernel, line } });
    this.dispatchEvent(new CustomEvent('fuse-open', { detail: 'ptx', bubbles: true, composed: true }));
  }
}
