// The answer that <fuse-why> gives on a kernel graph: a node, a group, an edge, two nodes; and the guesses.
// It must not know the list of decisions below it.
import { html, nothing, type TemplateResult } from 'lit';
import { countText, plural } from '../figures.js';
import type { Guess, KernelPlanIndex, LaunchOp } from '../kernel-plan-index.js';
import { detailText, fusibleText } from '../launch-words.js';
import { groupLink, nameOf, opLink, shortName } from '../op-link.js';
import { chainSentence, fusedCount, regionSentence } from '../region-reasons.js';
import { exists, type Selection } from '../selection.js';
import type { Count } from '../plan.js';
import type { Session } from '../session.js';
import type { Store } from '../store.js';
import { visibleText } from '../visible-text.js';

const MOST = 40;

export function launchAnswer(store: Store, index: KernelPlanIndex, selection: Selection | null): TemplateResult {
  if (!selection || !exists(index, selection)) return overview(index);
  switch (selection.kind) {
    case 'op':
      return aboutNode(store, index, selection.op);
    case 'group':
      return aboutGroup(store, index, selection.group);
    case 'kernel':
      return overview(index);
    case 'edge':
      return aboutEdge(store, index, selection.edge);
    case 'pair':
      return aboutPair(store, index, selection.from, selection.to);
  }
}

function overview(index: KernelPlanIndex): TemplateResult {
  return html`
    <h2>Which launches become one</h2>
    <p>
      A region runs from one launch to where all that it feeds meets again; nothing inside may be read outside. Chains
      of single readers are fused over what regions leave. Of
      ${plural(index.plan.decisions.length, 'root')} tried: ${fusedCount(index)}. Select a launch, an edge or a group for
      the reason.
    </p>
  `;
}

function aboutNode(store: Store, index: KernelPlanIndex, id: number): TemplateResult {
  const op = index.op(id);
  return html`
    <h2>${nameOf(op)}</h2>
    <p class="mono">${detailText(op)}${sizes(op)}</p>
    <p class="quiet">${fusibleText(op)}${op.group === null ? nothing : html`; in ${groupLink(store, op.group)}`}</p>
    ${buffers(op)} ${branches(store, index, op)}
    ${op.is === 'rewritten' ? madeOf(store, index, op.members) : whyNode(store, index, op)}
  `;
}

/** <<<grid, block>>> as CUDA writes a launch. */
function sizes({ grid, block, shared_mem_bytes }: LaunchOp): string {
  if (!grid || !block) return '';
  const shared = shared_mem_bytes ? `, ${countText(shared_mem_bytes)} B shared` : '';
  return `: grid ${grid.join('×')}, block ${block.join('×')}${shared}`;
}

/** What it reads and writes, where the graph says. */
function buffers({ inputs, outputs }: LaunchOp): TemplateResult | typeof nothing {
  const listed = (ids: Count[]) => `${ids.slice(0, MOST).join(', ')}${ids.length > MOST ? ' …' : ''}`;
  const parts = [
    ...(inputs.length > 0 ? [`reads buffer ${listed(inputs)}`] : []),
    ...(outputs.length > 0 ? [`writes buffer ${listed(outputs)}`] : []),
  ];
  return parts.length === 0 ? nothing : html`<p class="quiet">${parts.join('; ')}</p>`;
}

function branches(store: Store, index: KernelPlanIndex, { is, branches: of }: LaunchOp): TemplateResult[] {
  const first = is === 'rewritten' ? index.plan.nodes.length : 0;
  return (of ?? []).slice(0, MOST).map((branch, i) => {
    const nodes = branch.map((node) => first + node);
    return html`<p>Branch ${i}: ${nodes.length === 0 ? 'nothing' : links(store, index, nodes)}</p>`;
  });
}

function madeOf(store: Store, index: KernelPlanIndex, members: number[]): TemplateResult {
  return members.length === 1
    ? html`<p>As it was: ${links(store, index, members)}</p>`
    : html`<p>One launch in the place of ${plural(members.length, 'launch', 'launches')}: ${links(store, index, members)}</p>`;
}

function whyNode(store: Store, index: KernelPlanIndex, op: LaunchOp): TemplateResult {
  const decision = index.decisionOf(op.id);
  const chain = index.chainFrom(op.id);
  if (decision)
    return html`<ul class="reasons">
      <li class=${decision.verdict}>
        ${decision.verdict === 'refused' ? 'No region begins here. ' : nothing}${regionSentence(store, index, decision)}
      </li>
      ${chain
        ? html`<li class=${chain.first === chain.last ? 'refused' : 'fused'}>${chainSentence(store, index, chain)}</li>`
        : nothing}
    </ul>`;
  if (op.group !== null)
    return html`<p>Inside the group that begins at ${opLink(store, index, index.group(op.group).root, 'why')}.</p>`;
  return html`<p>No region begins here: ${op.kind === 'kernel_launch' ? 'it is not fusible' : 'it is no kernel'}.</p>`;
}

function aboutGroup(store: Store, index: KernelPlanIndex, id: number): TemplateResult {
  const { members, pattern, root } = index.group(id);
  const decision = index.decisionOf(root);
  return html`
    <h2>Group ${id}: ${pattern}, ${plural(members.length, 'launch', 'launches')} as one</h2>
    <p>${links(store, index, members)}</p>
    ${pattern === 'Chain'
      ? html`<p>A chain: each is all that waits for the one before it.</p>`
      : decision
        ? html`<p>${regionSentence(store, index, decision)}</p>`
        : nothing}
  `;
}

function aboutEdge(store: Store, index: KernelPlanIndex, edge: number): TemplateResult {
  const { producer, consumer, together } = index.edge(edge);
  const about = index.decisionsAbout(edge);
  const verdict = together ? 'fused' : about.length > 0 ? 'refused' : '';
  return html`
    <h2>
      ${nameOf(index.op(producer))} → ${nameOf(index.op(consumer))}${verdict
        ? html`: <span class="verdict ${verdict}">${verdict}</span>`
        : nothing}
    </h2>
    ${together
      ? html`<p>Both run inside one kernel${inGroup(store, index, producer)}.</p>`
      : html`<p>${opLink(store, index, consumer, 'why')} is launched after ${opLink(store, index, producer, 'why')}.</p>`}
    <ul class="reasons">
      ${about.slice(0, MOST).map((decision) => html`<li class="refused">${regionSentence(store, index, decision)}</li>`)}
    </ul>
  `;
}

function inGroup(store: Store, index: KernelPlanIndex, op: number) {
  const { group } = index.op(op);
  return group === null ? nothing : html`, ${groupLink(store, group)}`;
}

function aboutPair(store: Store, index: KernelPlanIndex, a: number, b: number): TemplateResult {
  const edge = index.edgeBetween(a, b);
  if (edge !== undefined) return aboutEdge(store, index, edge);
  const [one, other] = [index.op(a), index.op(b)];
  const together = one.group !== null && one.group === other.group;
  const path = index.pathBetween(a, b) ?? index.pathBetween(b, a);
  const decisions = [index.decisionOf(a), index.decisionOf(b)].filter((decision) => decision?.verdict === 'refused');
  return html`
    <h2>${nameOf(one)} and ${nameOf(other)}</h2>
    <p>
      ${together
        ? html`They run inside one kernel${inGroup(store, index, a)}.`
        : path
          ? `No edge joins them; a path of ${plural(path.length, 'edge')} does.`
          : 'No path leads from one to the other.'}
    </p>
    <ul class="reasons">
      ${decisions.map((decision) => html`<li class="refused">${decision ? regionSentence(store, index, decision) : nothing}</li>`)}
    </ul>
  `;
}

/** The functions whose fusible flag is a guess: a click says otherwise, and the core plans again. */
export function guessList(index: KernelPlanIndex, session: Session, shown: number): TemplateResult | typeof nothing {
  const { guesses } = index;
  if (guesses.length === 0) return nothing;
  return html`
    <section aria-label="Guesses">
      <h2>Guessed from names</h2>
      <p class="quiet">This graph does not say which kernels may join others. Set right what the names let guess.</p>
      <ul class="guesses">
        ${guesses.slice(0, shown).map((guess) => guessRow(index, session, guess))}
      </ul>
      ${guesses.length > shown ? html`<p class="quiet">and ${plural(guesses.length - shown, 'more function')}</p>` : nothing}
    </section>
  `;
}

function guessRow(index: KernelPlanIndex, session: Session, guess: Guess): TemplateResult {
  const { function_name, nodes, fusible, turned } = guess;
  const [first] = nodes;
  const label = nodes.length === 1 && first !== undefined ? index.op(first).name : function_name;
  return html`<li>
    <label title=${visibleText(function_name.slice(0, 1000))}
      ><input type="checkbox" .checked=${fusible} @change=${() => session.turnGuess(guess)} /><span class="name">${shortName(label)}</span></label
    >
    <span class="quiet">${plural(nodes.length, 'launch', 'launches')}${turned ? ', set by you' : ''}</span>
  </li>`;
}

function links(store: Store, index: KernelPlanIndex, ops: readonly number[]): TemplateResult {
  const rest = ops.length - MOST;
  return html`${ops.slice(0, MOST).map((op, i) => html`${i > 0 ? ', ' : ''}${opLink(store, index, op, 'why')}`)}${rest > 0
    ? html`<span class="quiet"> and ${countText(rest)} more</span>`
    : nothing}`;
}
