// Why an edge was fused or refused, as a sentence with its figures.
// It must not know panes; it words what the core decided and decides nothing.
import { html, type TemplateResult } from 'lit';
import { plural, shapeText } from './figures.js';
import { opLink, shortName } from './op-link.js';
import type { Decision, Reason } from './plan.js';
import type { PlanIndex } from './plan-index.js';
import type { Store } from './store.js';

/** A word or two for a list. */
export const reasonWords: Record<Reason, string> = {
  fused: 'fused',
  'producer-not-fusible': 'producer not fusible',
  'consumer-not-fusible': 'consumer not fusible',
  'shapes-differ': 'shapes differ',
  'would-create-cycle': 'would create a cycle',
};

const notFusible: Record<string, string> = {
  source: 'is resident data, which no kernel computes',
  reduce: 'folds axes, so it ends an elementwise group',
  move: 'moves elements to other places, so it ends an elementwise group',
  opaque: 'is a library call, and nothing joins it',
};

/** Whether both ends could fuse and it is this edge that cannot. */
export function isContested(decision: Decision): boolean {
  return decision.reason === 'shapes-differ' || decision.reason === 'would-create-cycle';
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
  }
}

function barrier(index: PlanIndex, op: number, link: (op: number) => TemplateResult): TemplateResult {
  const { kind, class: of } = index.op(op);
  return html`${link(op)} (<code>${shortName(kind)}</code>) ${notFusible[of] ?? 'is not fusible'}.`;
}
