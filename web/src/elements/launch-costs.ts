// What <fuse-costs> shows of a kernel graph: launches saved, totals before and after, a row per region.
// It must not know how a graph is rewritten: every figure is the core's.
import { html, nothing, type TemplateResult } from 'lit';
import { countText, plural } from '../figures.js';
import type { KernelPlanIndex } from '../kernel-plan-index.js';
import type { LaunchTotals } from '../kernel-plan.js';
import { sumText } from '../launch-words.js';
import { shortName } from '../op-link.js';
import type { Store } from '../store.js';

export function launchCosts(store: Store, index: KernelPlanIndex, shown: number, showMore: () => void): TemplateResult {
  return html`${totals(index)}${groups(store, index, shown, showMore)}`;
}

function totals({ plan }: KernelPlanIndex): TemplateResult {
  const before = plan.totals;
  const after = plan.rewritten?.totals;
  const sumCell = (total: LaunchTotals, name: 'threads' | 'bytes_copied' | 'bytes_set') => {
    const { text, title } = sumText(total[name], name === 'threads' ? 'threads' : 'bytes');
    return html`<td class="number" title=${title}>${text}</td>`;
  };
  const row = (name: string, cell: (total: LaunchTotals) => unknown) => html`<tr>
    <th scope="row">${name}</th>
    ${cell(before)}${after ? cell(after) : nothing}
  </tr>`;
  const count = (of: (total: LaunchTotals) => number) => (total: LaunchTotals) =>
    html`<td class="number">${countText(of(total))}</td>`;
  return html`
    <section aria-label="Totals">
      <dl>
        <div>
          <dt>Launches saved</dt>
          <dd>${countText(plan.launches_saved)}</dd>
          <dd class="quiet note">${plan.options.fused ? `of ${countText(before.launches)}` : 'every launch alone'}</dd>
        </div>
      </dl>
      <table class="launches">
        <thead>
          <tr>
            <th scope="col">Total</th>
            <th scope="col" class="number">${after ? 'as given' : 'this graph'}</th>
            ${after ? html`<th scope="col" class="number">rewritten</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${row('launches', count((total) => total.launches))}
          ${row('threads', (total) => sumCell(total, 'threads'))}
          ${row('copies', count((total) => total.copies))}
          ${row('bytes copied', (total) => sumCell(total, 'bytes_copied'))}
          ${row('fills', count((total) => total.fills))}
          ${row('bytes set', (total) => sumCell(total, 'bytes_set'))}
        </tbody>
      </table>
      <p class="meaning quiet">
        A fused region is launched once, with the threads of its first kernel. Copies and fills stay as they are. What
        kernels read and write is not in a kernel graph.
      </p>
    </section>
  `;
}

function groups(store: Store, index: KernelPlanIndex, shown: number, showMore: () => void): TemplateResult {
  const { marked } = store.state;
  const ids = index.groups.map((_, id) => id);
  const visible = [...ids.slice(shown).filter((id) => marked.groups.has(id)).slice(0, 5), ...ids.slice(0, shown)];
  const rest = ids.length - shown;
  return html`
    <section aria-label="Groups">
      <h2>Groups</h2>
      ${ids.length === 0
        ? html`<p class="quiet">No launches become one${index.plan.options.fused ? '' : ' in this view'}.</p>`
        : html`<table>
            <thead>
              <tr>
                <th scope="col">Group</th>
                <th scope="col" class="number">Launches</th>
                <th scope="col" class="number">Saved</th>
              </tr>
            </thead>
            <tbody>
              ${visible.map((id) => groupRow(store, index, id, marked.groups.has(id)))}
            </tbody>
          </table>`}
      ${rest > 0
        ? html`<button type="button" class="more" @click=${showMore}>Show more (${plural(rest, 'group')} left)</button>`
        : nothing}
    </section>
  `;
}

function groupRow(store: Store, index: KernelPlanIndex, id: number, isMarked: boolean): TemplateResult {
  const { members, pattern } = index.group(id);
  const names = members.slice(0, 4).map((op) => shortName(index.op(op).name));
  const more = members.length - names.length;
  const select = () => store.select({ kind: 'group', group: id }, 'costs');
  return html`
    <tr class=${isMarked ? 'marked' : ''} @click=${select}>
      <th scope="row">
        <button type="button" aria-pressed=${isMarked} @click=${select}>
          <span class="id">${id}</span>
          <span class="names">${names.join(', ')}${more > 0 ? ` +${more}` : ''}</span>
          <span class="runs">${pattern}</span>
        </button>
      </th>
      <td class="number">${countText(members.length)}</td>
      <td class="number">${countText(members.length - 1)}</td>
    </tr>
  `;
}
