// <fuse-costs>: the plan in bytes moved, of a kernel graph in launches: totals, then a row per group.
// It must not know how bytes are counted: every figure is the core's.
import { html, LitElement, nothing, svg } from 'lit';
import { property, state } from 'lit/decorators.js';
import { bytesText, difference, exactBytesText, percentText, plural, ratioText, share, sum } from '../figures.js';
import type { Count, PlanGroup } from '../plan.js';
import type { PlanIndex } from '../plan-index.js';
import { shortName } from '../op-link.js';
import type { Session } from '../session.js';
import { StoreController } from '../store-controller.js';
import type { Store } from '../store.js';
import { controls } from '../theme.js';
import { costStyles } from './fuse-costs-styles.js';
import { policiesTable } from './fuse-costs-policies.js';
import { rereadBy, rereadInAll } from './fuse-costs-reread.js';
import { launchCosts } from './launch-costs.js';
import { bringIntoSight } from './pane-scroll.js';
import { paneStyles } from './pane-styles.js';
import { staleNote } from './stale-note.js';

const AT_ONCE = 100;
type Order = 'plan' | 'moved' | 'saved';
const moved = (group: PlanGroup): Count => sum(group.bytes_read, group.bytes_written);
const saved = (group: PlanGroup): Count => difference(group.bytes_unfused, moved(group));

export class FuseCosts extends LitElement {
  @property({ attribute: false }) store!: Store;
  @property({ attribute: false }) session!: Session;
  /** Whether it is in sight: else it waits with its work until it is. */
  @property({ attribute: false }) active = true;
  @state() private shown = AT_ONCE;
  @state() private order: Order = 'plan';
  /** Whether another pane made the selection since it was last shown here. */
  #reveal = false;
  #sorted: { index: PlanIndex; order: Order; groups: number[] } | undefined;

  static override styles = [controls, paneStyles, costStyles];

  constructor() {
    super();
    new StoreController(this, () => this.store, (now, before) => {
      const { selection, selectedBy } = now;
      if (selection && selection !== before.selection && selectedBy !== 'costs' && selectedBy !== '') this.#reveal = true;
    });
  }

  override shouldUpdate(): boolean {
    return this.active;
  }

  override updated(): void {
    if (!this.#reveal) return;
    this.#reveal = false;
    bringIntoSight(this, this.renderRoot.querySelector('.groups tr.marked'));
  }

  override render() {
    const { index } = this.store.state;
    if (!index) return html`<p class="empty">Costs appear here once the graph can be planned.</p>`;
    if (index.of === 'launches')
      return html`${staleNote(this.store)}${launchCosts(this.store, index, this.shown, () => (this.shown += 5 * AT_ONCE))}`;
    return html`${staleNote(this.store)}${this.#totals(index)}
    ${policiesTable(index.plan, (policy) => this.session.setOptions({ policy }))}${this.#groups(index)}`;
  }

  #totals({ plan }: PlanIndex) {
    const { fused } = plan.options;
    const kernels = plan.kernels.filter((kernel) => kernel.kind === 'kernel').length;
    const calls = plan.kernels.length - kernels;
    const reread = rereadInAll(plan);
    const figure = (name: string, count: Count, note: unknown) => html`
      <div>
        <dt>${name}</dt>
        <dd title=${exactBytesText(count)}>${bytesText(count)}</dd>
        <dd class="quiet note">${note}</dd>
      </div>
    `;
    const bar = (name: string, count: Count, of: string) => html`
      <span>${name}</span>
      <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class=${of} width=${share(count, plan.bytes_unfused) * 100} height="8"></rect>
      </svg>
    `;
    return html`
      <section aria-label="Totals">
        <dl>
          ${figure('Unfused', plan.bytes_unfused, exactBytesText(plan.bytes_unfused))}
          ${figure(fused ? 'Fused' : 'This plan', plan.bytes_fused, fused ? exactBytesText(plan.bytes_fused) : 'every op alone')}
          ${figure(
            'Saved',
            plan.bytes_saved,
            `${percentText(plan.bytes_saved, plan.bytes_unfused)} of unfused`,
          )}
          <div>
            <dt>Bytes ratio</dt>
            <dd>${ratioText(plan.speedup_estimate)}</dd>
            <dd class="quiet note">unfused ÷ ${fused ? 'fused' : 'this plan'}</dd>
          </div>
        </dl>
        <div class="bars">
          ${bar('unfused', plan.bytes_unfused, 'unfused')} ${bar(fused ? 'fused' : 'this plan', plan.bytes_fused, 'fused')}
        </div>
        ${reread ?? nothing}
        <p class="meaning quiet">
          The bytes ratio estimates the speedup against one kernel per op where memory bandwidth is the only limit:
          launches, caches and arithmetic are not in it${reread ? ', nor what is read again' : ''}. ${plural(kernels, 'kernel')} and
          ${plural(calls, 'library call')} run this plan.
        </p>
      </section>
    `;
  }

  #groups(index: PlanIndex) {
    const ids = this.#inOrder(index);
    const { marked } = this.store.state;
    const quiet = index.plan.groups.length - ids.length;
    const rest = ids.length - this.shown;
    const most = ids.reduce((max, id) => Math.max(max, Number(index.group(id).bytes_unfused)), 0);
    const visible = ids.slice(0, this.shown);
    const behind = ids.slice(this.shown).filter((id) => marked.groups.has(id)).slice(0, 5);
    return html`
      <section aria-label="Groups">
        <div class="head">
          <h2>Groups</h2>
          <label class="quiet">
            order
            <select @change=${(event: Event) => (this.order = (event.target as HTMLSelectElement).value as Order)}>
              <option value="plan">as planned</option>
              <option value="moved">most moved</option>
              <option value="saved">most saved</option>
            </select>
          </label>
        </div>
        <table class="groups">
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col" class="number">Read</th>
              <th scope="col" class="number">Written</th>
              <th scope="col" class="number">Saved</th>
            </tr>
          </thead>
          <tbody>
            ${[...behind, ...visible].map((id) => this.#row(index, id, most, marked.groups.has(id)))}
          </tbody>
        </table>
        ${rest > 0
          ? html`<button type="button" class="more" @click=${() => (this.shown += 5 * AT_ONCE)}>
              Show more (${plural(rest, 'group')} left)
            </button>`
          : nothing}
        ${quiet > 0
          ? html`<p class="quiet resident">
              ${plural(quiet, 'further group')} run${quiet === 1 ? 's' : ''} nothing: resident data and views.
            </p>`
          : nothing}
      </section>
    `;
  }

  #row(index: PlanIndex, id: number, most: number, isMarked: boolean) {
    const group = index.group(id);
    const of = (count: Count) => (most === 0 ? 0 : (Number(count) / most) * 100);
    const names = group.members.slice(0, 4).map((op) => shortName(index.op(op).name));
    const more = group.members.length - names.length;
    const cell = (count: Count) => html`<td class="number" title=${exactBytesText(count)}>${bytesText(count)}</td>`;
    return html`
      <tr class=${isMarked ? 'marked' : ''} @click=${() => this.#select(id)}>
        <th scope="row">
          <button type="button" aria-pressed=${isMarked} @click=${() => this.#select(id)}>
            <span class="id">${id}</span>
            <span class="names">${names.join(', ')}${more > 0 ? ` +${more}` : ''}</span>
            ${group.pattern ? html`<span class="runs">${group.pattern}</span>` : nothing}
            <span class="runs quiet">${group.runs === 'library' ? 'library call' : 'kernel'}</span>
          </button>
          <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            ${svg`<rect class="unfused" width=${of(group.bytes_unfused)} height="6"></rect>
              <rect class="fused" width=${of(moved(group))} height="6"></rect>`}
          </svg>
        </th>
        <td class="number" title=${exactBytesText(group.bytes_read)}>
          ${bytesText(group.bytes_read)}${group.kernel === null ? nothing : rereadBy(index.kernel(group.kernel))}
        </td>
        ${cell(group.bytes_written)}${cell(saved(group))}
      </tr>
    `;
  }

  #select(group: number): void {
    this.store.select({ kind: 'group', group }, 'costs');
  }

  #inOrder(index: PlanIndex): number[] {
    if (this.#sorted?.index === index && this.#sorted.order === this.order) return this.#sorted.groups;
    const groups = index.plan.groups.flatMap((group, id) => (group.runs === 'none' ? [] : [id]));
    const key = this.order === 'moved' ? moved : saved;
    if (this.order !== 'plan') groups.sort((a, b) => Number(key(index.group(b))) - Number(key(index.group(a))));
    this.#sorted = { index, order: this.order, groups };
    return groups;
  }
}
