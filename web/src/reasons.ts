// Why an edge was fused or refused, as a sentence with its figures.
// It must not know panes; it words what the core decided and decides nothing.
import { html, type TemplateResult } from 'lit';
import { plural, shapeText } from './figures.js';
import { opLink, shortName } from './op-link.js';
import type { Decision, Reason, RowDomain } from './plan.js';
import type { PlanIndex } from './plan-index.js';
import type { Store } from './store.js';

/** A word or two for a list. */
export const reasonWords: Record<Reason, string> = {
  fused: 'fused',
  'producer-not-fusible': 'producer not fusible',
  'consumer-not-fusible': 'consumer not fusible',
  'shapes-differ': 'shapes differ',
  'would-create-cycle': 'would create a cycle',
  'row-domain-differs': 'other rows are folded',
  'reads-other-rows': 'other rows are read',
  'larger-than-rows': 'larger than the rows',
  'not-a-row-value': 'no value of the rows',
  'region-is-closed': 'the region is closed',
};

const notFusible: Record<string, string> = {
  source: 'is resident data, which no kernel computes',
  reduce: 'folds axes, and this plan joins no edge of it',
  move: 'moves elements to other places, so it ends an elementwise group',
  opaque: 'is a library call, and nothing joins it',
};

/** "[1024 × 512 folded]". */
function rowsText(domain: RowDomain): string {
  const parts = domain.map(({ extent, reduced }) => `${String(extent)}${reduced ? ' folded' : ''}`);
  return `[${parts.join(' × ')}]`;
}

export function reasonSentence(store: Store, index: PlanIndex, decision: Decision): TemplateResult {
  const link = (op: number) => opLink(store, index, op, 'why');
  const { producer, consumer } = decision;
  switch (decision.reason) {
    case 'fused':
      if (!index.plan.options.fused)
        return html`The planner would fuse ${link(producer)} and ${link(consumer)}; in this view every op runs alone.`;
      return html`Fused: ${link(consumer)} takes the value of ${link(producer)} from a register.`;
    case 'producer-not-fusible':
      return barrier(index, producer, link);
    case 'consumer-not-fusible':
      return barrier(index, consumer, link);
    case 'shapes-differ': {
      const from = shapeText(decision.producer_shape ?? []);
      const to = shapeText(decision.consumer_shape ?? []);
      return html`The shapes differ: <code>${from}</code> of ${link(producer)} does not stretch to
        <code>${to}</code> of ${link(consumer)}${index.plan.options.broadcast ? '' : ', and broadcasting is off'}.`;
    }
    case 'would-create-cycle': {
      const path = decision.path ?? [];
      const total = decision.path_total ?? path.length;
      const between = path.filter((op) => op !== producer && op !== consumer);
      const middle = between.length <= 3 ? between : between.slice(0, 1);
      return html`One kernel would have to run both before and after
        ${middle.map((op, i) => html`${i > 0 ? ', ' : ''}${link(op)}`)}${between.length > middle.length
          ? ` and ${plural(total - middle.length, 'more op')}`
          : ''}.
        The path that closes the circle: ${path.map((op, i) => html`${i > 0 ? ' → ' : ''}${link(op)}`)}${total >
        path.length
          ? ` … (${plural(total, 'op')} in all)`
          : ''}.`;
    }
    case 'row-domain-differs':
    case 'reads-other-rows':
    case 'larger-than-rows':
    case 'not-a-row-value':
      return rowsSentence(decision, link);
    case 'region-is-closed': {
      const [root, sink] = decision.region ?? [producer, consumer];
      return html`The region from ${link(root)} to ${link(sink)} is closed: all between them is one kernel, and nothing
        else joins it.`;
    }
  }
}

function rowsSentence(decision: Decision, link: (op: number) => TemplateResult): TemplateResult {
  const { producer, consumer } = decision;
  const [folded, other] = (decision.domains ?? [[], []]).map((domain) => html`<code>${rowsText(domain)}</code>`);
  switch (decision.reason) {
    case 'row-domain-differs':
      return html`One kernel walks one kind of row: on one side ${folded} is reduced, on the other ${other}.`;
    case 'reads-other-rows':
      return html`A kernel over the rows of ${folded} holds a reduction's value only for its own row; here one would be
        read along ${other}, or at another element.`;
    case 'larger-than-rows':
      return html`A kernel over the rows of ${folded} makes no value with more elements than that; ${link(producer)} and
        ${link(consumer)} bring one.`;
    default:
      return html`${link(producer)} has neither an element for each place of ${folded} nor one for each row, and is wanted
        elsewhere: the kernel of ${link(consumer)} could not store it.`;
  }
}

function barrier(index: PlanIndex, op: number, link: (op: number) => TemplateResult): TemplateResult {
  const { kind, class: of } = index.op(op);
  return html`${link(op)} (<code>${shortName(kind)}</code>) ${notFusible[of] ?? 'is not fusible'}.`;
}
