// <fuse-why>: why ops run together or apart: the answer for the selection, then every decision of the planner.
// It must not know the planner's rules: it words its decisions.
import { html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { bytesText, countText, plural } from '../figures.js';
import { isContested, type Decision } from '../plan.js';
import type { PlanIndex } from '../plan-index.js';
import { reasonSentence, reasonWords } from '../reasons.js';
import { shortName } from '../op-link.js';
import { StoreController } from '../store-controller.js';
import type { Store } from '../store.js';
import { controls } from '../theme.js';
import { visibleText } from '../visible-text.js';
import { answerFor } from './fuse-why-answer.js';
import { whyStyles } from './fuse-why-styles.js';
import { paneStyles } from './pane-styles.js';
import { staleNote } from './stale-note.js';

const AT_ONCE = 100;
const MOST_OFFERED = 2000;
type Filter = 'all' | 'fused' | 'refused' | 'contested';
const passes: Record<Filter, (decision: Decision) => boolean> = {
  all: () => true,
  fused: (decision) => decision.verdict === 'fused',
  refused: (decision) => decision.verdict === 'refused',
  contested: isContested,
};
const filterNames: Record<Filter, string> = {
  all: 'All',
  fused: 'Fused',
  refused: 'Refused',
  contested: 'Could have fused',
};

export class FuseWhy extends LitElement {
  @property({ attribute: false }) store!: Store;
  /** Whether it is in sight: else it waits with its work until it is. */
  @property({ attribute: false }) active = true;
  @state() private filter: Filter = 'all';
  @state() private shown = AT_ONCE;
  @state() private unknown = '';
  #listed: { index: PlanIndex; edges: Record<Filter, number[]> } | undefined;

  static override styles = [controls, paneStyles, whyStyles];

  constructor() {
    super();
    new StoreController(this, () => this.store, (now, before) => {
      if (now.selection !== before.selection || now.index !== before.index) this.unknown = '';
    });
  }

  override shouldUpdate(): boolean {
    return this.active;
  }

  override render() {
    const { index, selection } = this.store.state;
    if (!index) return html`<p class="empty">The planner's reasons appear here once the graph can be planned.</p>`;
    return html`
      ${staleNote(this.store)}
      <section class="answer" aria-label="Answer" aria-live="polite">
        ${answerFor(this.store, index, selection)} ${this.#question(index)}
      </section>
      ${this.#decisions(index)}
    `;
  }

  /** Two ops by name: why did these two not fuse? */
  #question(index: PlanIndex) {
    const { selection } = this.store.state;
    const pair =
      selection?.kind === 'pair'
        ? [selection.from, selection.to]
        : selection?.kind === 'edge'
          ? [index.decision(selection.edge).producer, index.decision(selection.edge).consumer]
          : selection?.kind === 'op'
            ? [selection.op]
            : [];
    const value = (at: number) => {
      const op = pair[at];
      return op === undefined ? '' : index.op(op).name;
    };
    return html`
      <form @submit=${(event: SubmitEvent) => this.#ask(event, index)}>
        <span>Why are</span>
        <input name="from" list="ops" aria-label="First op" .value=${value(0)} spellcheck="false" autocomplete="off" />
        <span>and</span>
        <input name="to" list="ops" aria-label="Second op" .value=${value(1)} spellcheck="false" autocomplete="off" />
        <span>apart?</span>
        <button type="submit">Ask</button>
        <datalist id="ops">
          ${index.plan.ops.slice(0, MOST_OFFERED).map((op) => html`<option value=${op.name}></option>`)}
        </datalist>
      </form>
      ${this.unknown ? html`<p class="unknown" role="alert">No op is named “${shortName(this.unknown)}”.</p>` : nothing}
    `;
  }

  #ask(event: SubmitEvent, index: PlanIndex): void {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    const names = [String(data.get('from') ?? ''), String(data.get('to') ?? '')];
    const [from, to] = names.map((name) => index.opNamed(name));
    this.unknown = from === undefined ? (names[0] ?? '') : to === undefined ? (names[1] ?? '') : '';
    if (from === undefined || to === undefined) return;
    if (from === to) this.store.select({ kind: 'op', op: from }, 'why');
    else this.store.select({ kind: 'pair', from, to }, 'why');
  }

  #decisions(index: PlanIndex) {
    const lists = this.#lists(index);
    const edges = lists[this.filter];
    const { marked } = this.store.state;
    const rest = edges.length - this.shown;
    const visible = edges.slice(0, this.shown);
    // The selected edge is shown even where the filter or the length of the list hides it.
    const hidden = [...marked.edges].filter((edge) => !visible.includes(edge)).slice(0, 5);
    return html`
      <section aria-label="Decisions">
        <div class="head" role="group" aria-label="Which decisions">
          ${(Object.keys(filterNames) as Filter[]).map(
            (filter) => html`<button
              type="button"
              aria-pressed=${this.filter === filter}
              @click=${() => {
                this.filter = filter;
                this.shown = AT_ONCE;
              }}
            >
              ${filterNames[filter]} <span class="quiet">${countText(lists[filter].length)}</span>
            </button>`,
          )}
        </div>
        ${edges.length === 0 ? html`<p class="quiet">No such decision in this plan.</p>` : nothing}
        <ol>
          ${[...hidden, ...visible].map((edge) => this.#row(index, edge, marked.edges.has(edge)))}
        </ol>
        ${rest > 0
          ? html`<button type="button" class="more" @click=${() => (this.shown += 5 * AT_ONCE)}>
              Show more (${plural(rest, 'decision')} left)
            </button>`
          : nothing}
      </section>
    `;
  }

  #row(index: PlanIndex, edge: number, isMarked: boolean) {
    const decision = index.decision(edge);
    const { verdict } = decision;
    const name = (op: number) => html`<span class="name" title=${visibleText(index.op(op).name.slice(0, 1000))}>${shortName(index.op(op).name)}</span>`;
    return html`
      <li class="${verdict} ${isMarked ? 'marked' : ''}">
        <button
          type="button"
          class="decision"
          aria-pressed=${isMarked}
          @click=${() => this.store.select({ kind: 'edge', edge }, 'why')}
        >
          <span class="glyph" aria-hidden="true">${verdict === 'fused' ? '✓' : isContested(decision) ? '✕' : '–'}</span>
          <span class="pair">${name(decision.producer)} → ${name(decision.consumer)}</span>
          <span class="reason"
            >${reasonWords[decision.reason]}${verdict === 'refused' && decision.together
              ? ' · together by another way'
              : ''}</span
          >
          <span class="number quiet">${bytesText(decision.bytes)}</span>
        </button>
        ${isMarked ? html`<p class="sentence">${reasonSentence(this.store, index, decision)}</p>` : nothing}
      </li>
    `;
  }

  #lists(index: PlanIndex): Record<Filter, number[]> {
    if (this.#listed?.index === index) return this.#listed.edges;
    const edges: Record<Filter, number[]> = { all: [], fused: [], refused: [], contested: [] };
    index.plan.decisions.forEach((decision, edge) => {
      for (const filter of Object.keys(passes) as Filter[]) if (passes[filter](decision)) edges[filter].push(edge);
    });
    this.#listed = { index, edges };
    return edges;
  }
}
