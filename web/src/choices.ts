// The planner's decisions as a list of one form: edges of an op graph, roots of a kernel graph.
// It must not know how a list is drawn.
import type { TemplateResult } from 'lit';
import { bytesText, plural } from './figures.js';
import { isContested } from './kernel-plan.js';
import type { KernelPlanIndex } from './kernel-plan-index.js';
import type { AnyIndex, PlanIndex } from './plan-index.js';
import { reasonSentence, reasonWords } from './reasons.js';
import { regionReasonWords, regionSentence } from './region-reasons.js';
import type { Selection } from './selection.js';
import type { State, Store } from './store.js';

export type Filter = 'all' | 'fused' | 'refused' | 'contested';

export interface Choice {
  verdict: 'fused' | 'refused';
  /** Refused, though it might have been fused. */
  contested: boolean;
  ops: number[];
  words: string;
  figure: string;
  selection: Selection;
  sentence(store: Store): TemplateResult;
}

export interface Choices {
  readonly index: AnyIndex;
  /** Numbers of decisions that pass each filter, in the planner's order. */
  readonly lists: Record<Filter, number[]>;
  at(decision: number): Choice;
  /** The decisions that belong to what is selected. */
  selected(state: Readonly<State>): number[];
}

export function choicesOf(index: AnyIndex): Choices {
  return index.of === 'ops' ? edgeChoices(index) : rootChoices(index);
}

function listed(verdicts: ('fused' | 'refused')[], isContested: (decision: number) => boolean): Record<Filter, number[]> {
  const lists: Record<Filter, number[]> = { all: [], fused: [], refused: [], contested: [] };
  verdicts.forEach((verdict, decision) => {
    lists.all.push(decision);
    lists[verdict].push(decision);
    if (isContested(decision)) lists.contested.push(decision);
  });
  return lists;
}

function edgeChoices(index: PlanIndex): Choices {
  const { decisions } = index.plan;
  return {
    index,
    lists: listed(decisions.map(({ verdict }) => verdict), (edge) => index.isContested(edge)),
    at(edge) {
      const decision = index.decision(edge);
      const { verdict, reason, together, producer, consumer, bytes } = decision;
      return {
        verdict,
        contested: index.isContested(edge),
        ops: [producer, consumer],
        words: `${reasonWords[reason]}${verdict === 'refused' && together ? ' · together by another way' : ''}`,
        figure: bytesText(bytes),
        selection: { kind: 'edge', edge },
        sentence: (store) => reasonSentence(store, index, decision),
      };
    },
    selected: ({ marked }) => [...marked.edges],
  };
}

function rootChoices(index: KernelPlanIndex): Choices {
  const { decisions } = index.plan;
  const decisionAt = (at: number) => {
    const decision = decisions[at];
    if (!decision) throw new RangeError(`no decision ${at}`);
    return decision;
  };
  return {
    index,
    lists: listed(decisions.map(({ verdict }) => verdict), (at) => isContested(decisionAt(at))),
    at(at) {
      const decision = decisionAt(at);
      const { group } = index.op(decision.root);
      const saved = group === null || decision.verdict === 'refused' ? 0 : index.group(group).members.length - 1;
      return {
        verdict: decision.verdict,
        contested: isContested(decision),
        ops: [decision.root],
        words: regionReasonWords[decision.reason],
        figure: saved > 0 ? `${plural(saved, 'launch', 'launches')} saved` : '',
        selection: saved > 0 && group !== null ? { kind: 'group', group } : { kind: 'op', op: decision.root },
        sentence: (store) => regionSentence(store, index, decision),
      };
    },
    selected: ({ selection }) => {
      const root =
        selection?.kind === 'op' ? selection.op : selection?.kind === 'group' ? index.groups[selection.group]?.root : undefined;
      const decision = root === undefined ? undefined : index.decisionIdOf(root);
      return decision === undefined ? [] : [decision];
    },
  };
}
