// <fuse-why>: why ops run together or apart: the answer for the selection, then every decision of the planner.
// It must not know the planner's rules: it words its decisions.
import { html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { choicesOf, type Choice, type Choices, type Filter } from '../choices.js';
import { countText, plural } from '../figures.js';
import type { AnyIndex } from '../plan-index.js';
import { shortName } from '../op-link.js';
import type { Session } from '../session.js';
import { StoreController } from '../store-controller.js';
import type { Store } from '../store.js';
import { controls } from '../theme.js';
import { visibleText } from '../visible-text.js';
import { answerFor } from './fuse-why-answer.js';
import { whyStyles } from './fuse-why-styles.js';
import { guessList, launchAnswer } from './launch-why.js';
import { paneStyles } from './pane-styles.js';
import { staleNote } from './stale-note.js';

const AT_ONCE = 100;
const MOST_OFFERED = 2000;
const filterNames: Record<Filter, string> = {
  all: 'All',
  fused: 'Fused',
  refused: 'Refused',
  contested: 'Could have fused',
};

export class FuseWhy extends LitElement {
  @property({ attribute: false }) store!: Store;
  @property({ attribute: false }) session!: Session;
  /** Whether it is in sight: else it waits with its work until it is. */
  @property({ attribute: false }) active = true;
  @state() private filter: Filter = 'all';
  @state() private shown = AT_ONCE;
  @state() private unknown = '';
  #choices: Choices | undefined;

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
        ${index.of === 'launches' ? launchAnswer(this.store, index, selection) : answerFor(this.store, index, selection)}
        ${this.#question(index)}
      </section>
      ${index.of === 'launches' ? guessList(index, this.session, this.shown) : nothing}
      ${this.#decisions(index)}
    `;
  }

  /** Two ops by name: why did these two not fuse? */
  #question(index: AnyIndex) {
    const { selection } = this.store.state;
    const pair =
      selection?.kind === 'pair'
        ? [selection.from, selection.to]
        : selection?.kind === 'edge'
          ? [index.edge(selection.edge).producer, index.edge(selection.edge).consumer]
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
          ${index.ops.slice(0, MOST_OFFERED).map((op) => html`<option value=${op.name}></option>`)}
        </datalist>
      </form>
      ${this.unknown ? html`<p class="unknown" role="alert">No op is named “${shortName(this.unknown)}”.</p>` : nothing}
    `;
  }

  #ask(event: SubmitEvent, index: AnyIndex): void {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    const names = [String(data.get('from') ?? ''), String(data.get('to') ?? '')];
    const [from, to] = names.map((name) => index.opNamed(name));
    this.unknown = from === undefined ? (names[0] ?? '') : to === undefined ? (names[1] ?? '') : '';
    if (from === undefined || to === undefined) return;
    if (from === to) this.store.select({ kind: 'op', op: from }, 'why');
    else this.store.select({ kind: 'pair', from, to }, 'why');
  }

  #decisions(index: AnyIndex) {
    const choices = this.#choicesOf(index);
    const listed = choices.lists[this.filter];
    const selected = choices.selected(this.store.state);
    const rest = listed.length - this.shown;
    const visible = listed.slice(0, this.shown);
    // The selected one is shown even where the filter or the length of the list hides it.
    const hidden = selected.filter((choice) => !visible.includes(choice)).slice(0, 5);
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
              ${filterNames[filter]} <span class="quiet">${countText(choices.lists[filter].length)}</span>
            </button>`,
          )}
        </div>
        ${listed.length === 0 ? html`<p class="quiet">No such decision in this plan.</p>` : nothing}
        <ol>
          ${[...hidden, ...visible].map((choice) => this.#row(choices.at(choice), selected.includes(choice)))}
        </ol>
        ${rest > 0
          ? html`<button type="button" class="more" @click=${() => (this.shown += 5 * AT_ONCE)}>
              Show more (${plural(rest, 'decision')} left)
            </button>`
          : nothing}
      </section>
    `;
  }

  #row(choice: Choice, isMarked: boolean) {
    return html`
      <li class="${choice.verdict} ${isMarked ? 'marked' : ''}">
        <button
          type="button"
          class="decision"
          aria-pressed=${isMarked}
          @click=${() => this.store.select(choice.selection, 'why')}
        >
          <span class="glyph" aria-hidden="true">${choice.verdict === 'fused' ? '✓' : choice.contested ? '✕' : '–'}</span>
          <span class="pair">${choice.ops.map((op, i) => html`${i > 0 ? ' → ' : ''}${this.#name(op)}`)}</span>
          <span class="reason">${choice.words}</span>
          <span class="number quiet">${choice.figure}</span>
        </button>
        ${isMarked ? html`<p class="sentence">${choice.sentence(this.store)}</p>` : nothing}
      </li>
    `;
  }

  #name(op: number) {
    const name = this.store.state.index?.op(op).name ?? '';
    return html`<span class="name" title=${visibleText(name.slice(0, 1000))}>${shortName(name)}</span>`;
  }

  #choicesOf(index: AnyIndex): Choices {
    if (this.#choices?.index !== index) this.#choices = choicesOf(index);
    return this.#choices;
  }
}
