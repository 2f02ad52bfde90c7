// Why a region becomes one kernel or none begins at a root, as a sentence with its nodes and figures.
// It must not know panes; it words what the core decided and decides nothing.
import { html, type TemplateResult } from 'lit';
import { plural } from './figures.js';
import type { ChainDecision, RegionDecision, RegionReason } from './kernel-plan.js';
import type { KernelPlanIndex, LaunchOp } from './kernel-plan-index.js';
import { spaced, threadsText } from './launch-words.js';
import { opLink } from './op-link.js';
import type { Store } from './store.js';

/** A word or two for a list. */
export const regionReasonWords: Record<RegionReason, string> = {
  fused: 'one kernel',
  'member-not-fusible': 'a node is not fusible',
  'totals-differ': 'thread totals differ',
  'branches-differ': 'other branches',
  'total-unknown': 'threads unknown',
  'edge-leaks': 'an edge leaks',
  'not-dominated': 'entered beside its root',
  'no-fan-out': 'a plain chain',
  'already-claimed': 'in an earlier region',
};

export function regionSentence(store: Store, index: KernelPlanIndex, decision: RegionDecision): TemplateResult {
  const link = (node: number | null) => (node === null ? html`none` : opLink(store, index, node, 'why'));
  const { root, sink, member, from, to } = decision;
  switch (decision.reason) {
    case 'fused': {
      const words = index.plan.options.fused ? 'are one kernel' : 'would be one kernel; in this view every launch is alone';
      return html`All between ${link(root)} and ${link(sink)} ${words}: nothing inside is read outside.`;
    }
    case 'member-not-fusible':
      return html`${link(member)} is on the way ${sink === null ? '' : html`to ${link(sink)}`} and
        ${member === null ? '' : barrier(index.op(member))}.`;
    case 'totals-differ':
      return html`${link(root)} runs ${threadsOf(index, root)}, ${link(member)} ${threadsOf(index, member)}: one kernel
        has one number of threads.`;
    case 'branches-differ':
      return html`${link(member)} runs in other branches of conditionals than ${link(root)}.`;
    case 'total-unknown':
      return html`Nothing tells how many threads ${link(member)} runs, so nothing can be said to match them.`;
    case 'edge-leaks':
      return html`The edge ${link(from)} → ${link(to)} leaves what could be fused below ${link(root)}: ${link(to)} would
        read a value that a fused kernel keeps to itself.`;
    case 'not-dominated': {
      const path = decision.path ?? [];
      return html`${link(sink)} is reached without passing
        ${link(root)}${path.length > 0 ? html`: ${path.map((node, i) => html`${i > 0 ? ' → ' : ''}${link(node)}`)}` : ''}.
        With the entry <code>operands</code> such a value may enter.`;
    }
    case 'no-fan-out':
      return html`From ${link(root)} ${from === null || from === root ? 'on' : html`to ${link(from)}`} there is a plain
        chain: nothing is read twice, as a reduction's result is${to === null ? '' : html`, and ${link(to)} joins nothing`}.`;
    case 'already-claimed':
      return html`${link(member)} is in an earlier region, and a region of ${link(root)} would need it.`;
  }
}

/** Where the chain that a launch begins stops. */
export function chainSentence(store: Store, index: KernelPlanIndex, { first, last, next, reason }: ChainDecision): TemplateResult {
  const link = (node: number | null) => (node === null ? html`none` : opLink(store, index, node, 'why'));
  const begin = first === last ? html`It begins no chain` : html`Its chain ends at ${link(last)}`;
  switch (reason) {
    case 'no-reader':
      return html`${begin}: nothing waits for it.`;
    case 'several-readers':
      return html`${begin}: ${link(next)} and others wait for it.`;
    case 'next-not-fusible':
      return html`${begin}: ${link(next)} ${next === null ? '' : barrier(index.op(next))}.`;
    case 'totals-differ':
      return html`${begin}: it runs ${threadsOf(index, last)}, ${link(next)} ${threadsOf(index, next)}.`;
    case 'branches-differ':
      return html`${begin}: ${link(next)} runs in other branches of conditionals.`;
    case 'total-unknown':
      return html`${begin}: threads are unknown, of it or of ${link(next)}.`;
    case 'next-belongs-elsewhere':
      return html`${begin}: ${link(next)} belongs to another group.`;
  }
}

function threadsOf(index: KernelPlanIndex, node: number | null): string {
  return node === null ? 'threads unknown' : threadsText(index.op(node).threads);
}

/** Goes on after the node's name. */
function barrier({ kind, fusible_is_guess }: LaunchOp): string {
  if (kind !== 'kernel_launch') return `is no kernel (${spaced(kind)}), so no kernel can hold it`;
  return fusible_is_guess ? 'is not fusible, as its name lets guess' : 'is not fusible';
}

export function fusedCount(index: KernelPlanIndex): string {
  const fused = index.plan.decisions.filter(({ verdict }) => verdict === 'fused').length;
  return `${plural(fused, 'region')} fused, ${index.plan.decisions.length - fused} refused`;
}
