// The answer that <fuse-why> gives for what is selected: an op, a group, a kernel, an edge, or two ops.
// It must not know the list below it.
import { html, nothing, type TemplateResult } from 'lit';
import { bytesText, countText, plural, typeText } from '../figures.js';
import { groupLink, nameOf, opLink, shortName } from '../op-link.js';
import type { Materialized } from '../plan.js';
import type { PlanIndex } from '../plan-index.js';
import { reasonSentence, reasonWords } from '../reasons.js';
import { exists, type Selection } from '../selection.js';
import type { Store } from '../store.js';

const MOST = 40;

export function answerFor(store: Store, index: PlanIndex, selection: Selection | null): TemplateResult {
  if (!selection || !exists(index, selection)) return overview(index);
  switch (selection.kind) {
    case 'op':
      return aboutOp(store, index, selection.op);
    case 'group':
      return aboutGroup(store, index, selection.group);
    case 'kernel':
      return aboutGroup(store, index, index.kernel(selection.kernel).group);
    case 'edge':
      return aboutEdge(store, index, selection.edge);
    case 'pair':
      return aboutPair(store, index, selection.from, selection.to);
  }
}

function overview(index: PlanIndex): TemplateResult {
  const refused = index.plan.decisions.filter((decision) => decision.verdict === 'refused').length;
  const fused = index.plan.decisions.length - refused;
  return html`
    <h2>Why ops run together or apart</h2>
    <p>
      The planner asked about each of ${plural(index.plan.decisions.length, 'edge')} whether its two ops may share a
      kernel: ${countText(fused)} fused, ${countText(refused)} refused. Select an edge, an op or a group for the reason.
    </p>
  `;
}

function aboutOp(store: Store, index: PlanIndex, id: number): TemplateResult {
  const op = index.op(id);
  const row = store.state.facts?.rows.get(op.kind);
  const edges = [...(index.incoming[id] ?? []), ...(index.outgoing[id] ?? [])];
  return html`
    <h2>${nameOf(op)}</h2>
    <p class="mono">${shortName(op.kind)} ${typeText(op)}</p>
    <p class="quiet">
      ${op.class}${row?.reference && op.class === 'point' ? html`: <code>${row.reference}</code>` : nothing};
      ${bytesText(op.output_bytes)}; in ${groupLink(store, op.group)}
    </p>
    <ul class="reasons">
      ${edges.slice(0, MOST).map(
        (edge) => html`<li class=${index.decision(edge).verdict}>
          <button
            type="button"
            class="op"
            @click=${() => store.select({ kind: 'edge', edge }, 'why')}
            >${reasonWords[index.decision(edge).reason]}</button
          >
          ${reasonSentence(store, index, index.decision(edge))}
        </li>`,
      )}
    </ul>
    ${more(edges.length)}
  `;
}

function aboutGroup(store: Store, index: PlanIndex, id: number): TemplateResult {
  const group = index.group(id);
  const links = (ops: number[]) =>
    html`${ops.slice(0, MOST).map((op, i) => html`${i > 0 ? ', ' : ''}${opLink(store, index, op, 'why')}`)}${more(
      ops.length,
    )}`;
  const { materialized, internal_intermediates: kept } = group;
  const runs = { kernel: 'one kernel', library: 'one library call', none: 'nothing to run' }[group.runs];
  return html`
    <h2>Group ${id}: ${runs}</h2>
    <p>${plural(group.members.length, 'op')}: ${links(group.members)}</p>
    ${materialized.length > 0
      ? html`<h3>Written to memory</h3>
          <ul class="reasons">
            ${materialized
              .slice(0, MOST)
              .map((one) => html`<li>${opLink(store, index, one.op, 'why')} ${whyWritten(store, index, one)}</li>`)}
          </ul>
          ${more(materialized.length)}`
      : nothing}
    ${group.runs === 'kernel' && kept.length > 0 ? html`<p>Stay in registers: ${links(kept)}</p>` : nothing}
  `;
}

function whyWritten(store: Store, index: PlanIndex, { why, consumers }: Materialized): TemplateResult {
  if (why === 'output') return html`is an output of the graph.`;
  if (why === 'terminal') return html`is read by nothing here, so it is a result.`;
  const some = consumers.slice(0, 5);
  return html`is read outside the group by
  ${some.map((op, i) => html`${i > 0 ? ', ' : ''}${opLink(store, index, op, 'why')}`)}${consumers.length > some.length
    ? ` and ${plural(consumers.length - some.length, 'more op')}`
    : ''}.`;
}

function aboutEdge(store: Store, index: PlanIndex, edge: number): TemplateResult {
  const decision = index.decision(edge);
  const { producer, consumer, verdict } = decision;
  const byAnotherWay = verdict === 'refused' && decision.together;
  return html`
    <h2>
      ${nameOf(index.op(producer))} → ${nameOf(index.op(consumer))}:
      <span class="verdict ${verdict}">${verdict}</span>
    </h2>
    <p>${reasonSentence(store, index, decision)}</p>
    ${byAnotherWay
      ? html`<p>They are in one group all the same: other edges brought them together.</p>`
      : nothing}
    ${verdict === 'refused' && !decision.together
      ? html`<p class="quiet">
          The value goes through memory: ${opLink(store, index, consumer, 'why')} reads ${bytesText(decision.bytes)}
          over this edge.
        </p>`
      : nothing}
  `;
}

function aboutPair(store: Store, index: PlanIndex, a: number, b: number): TemplateResult {
  const edge = index.edgeBetween(a, b);
  if (edge !== undefined) return aboutEdge(store, index, edge);
  const link = (op: number) => opLink(store, index, op, 'why');
  const together = index.op(a).group === index.op(b).group;
  const path = index.pathBetween(a, b) ?? index.pathBetween(b, a);
  const refused = path?.filter((step) => !index.decision(step).together) ?? [];
  return html`
    <h2>${nameOf(index.op(a))} and ${nameOf(index.op(b))}</h2>
    ${together ? html`<p>They run together, in ${groupLink(store, index.op(a).group)}.</p>` : nothing}
    <p>
      ${path
        ? html`No edge joins them; a path of ${plural(path.length, 'edge')} does${refused.length > 0
            ? html`, and it is cut ${refused.length === 1 ? 'here' : `at ${plural(refused.length, 'place')}`}:`
            : '.'}`
        : html`No path leads from one to the other. Groups grow along edges from producer to consumer, so
          ${link(a)} and ${link(b)} could meet only in a group that reaches both.`}
    </p>
    <ul class="reasons">
      ${refused.slice(0, MOST).map((step) => html`<li class="refused">${reasonSentence(store, index, index.decision(step))}</li>`)}
    </ul>
  `;
}

function more(total: number): TemplateResult | typeof nothing {
  return total > MOST ? html`<span class="quiet"> and ${countText(total - MOST)} more</span>` : nothing;
}
