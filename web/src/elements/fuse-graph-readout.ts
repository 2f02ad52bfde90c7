// The line under the graph: what the pointer is on or what is selected, in words; else the legend.
// It must not know the drawing.
import { html, svg, type TemplateResult } from 'lit';
import { bytesText, plural, sum, typeText } from '../figures.js';
import { detailText, fusibleText } from '../launch-words.js';
import { shortName } from '../op-link.js';
import type { AnyIndex } from '../plan-index.js';
import { reasonWords } from '../reasons.js';
import type { Hit } from '../scene.js';
import type { Selection } from '../selection.js';
import type { Store } from '../store.js';
import { visibleText } from '../visible-text.js';

export function readout(store: Store, index: AnyIndex | null, hovered: Hit | undefined): TemplateResult {
  const selected = index ? selectionText(index, store.state.selection) : '';
  const over = index && hovered ? hitText(index, hovered) : '';
  const text = visibleText(over || selected);
  return html`
    <div class="readout">
      ${text ? html`<span class="mono">${text}</span>` : index?.of === 'launches' ? launchLegend(index.guesses.length > 0) : legend}
    </div>
    <span class="visually-hidden" aria-live="polite">${selected}</span>
  `;
}

const sample = (mark: TemplateResult) =>
  html`<svg class="sample" viewBox="0 0 26 12" aria-hidden="true">${mark}</svg>`;
const legend = html`
  <span title="The value stays in a register of one kernel"
    >${sample(svg`<path class="edge fused" d="M1 6H25"></path>`)}register</span
  >
  <span title="The value goes through memory, from one launch to another"
    >${sample(svg`<path class="edge plain" d="M1 6H25"></path>`)}memory</span
  >
  <span title="Both ops could fuse, and this edge could not: the value goes through memory"
    >${sample(svg`<path class="edge refused" d="M1 6H25"></path><path class="cross" d="M10 3L16 9M10 9L16 3"></path>`)}refused</span
  >
  <span title="The op's value is written to memory">${sample(svg`<path class="written" d="M2 5H24V8H2Z"></path>`)}written</span>
`;

const launchLegend = (guessed: boolean) => html`
  <span title="Inside one fused kernel">${sample(svg`<path class="edge fused" d="M1 6H25"></path>`)}one kernel</span>
  <span title="One runs after the other">${sample(svg`<path class="edge plain" d="M1 6H25"></path>`)}order</span>
  <span title="This edge kept a region from being one kernel"
    >${sample(svg`<path class="edge refused" d="M1 6H25"></path><path class="cross" d="M10 3L16 9M10 9L16 3"></path>`)}refused</span
  >
  ${guessed ? html`<span title="Whether it may join others is guessed from its name">? guess</span>` : ''}
`;

function hitText(index: AnyIndex, hit: Hit): string {
  if ('op' in hit) return opText(index, hit.op);
  if ('edge' in hit) return edgeText(index, hit.edge);
  return groupText(index, hit.group);
}

function selectionText(index: AnyIndex, selection: Selection | null): string {
  switch (selection?.kind) {
    case 'op':
      return opText(index, selection.op);
    case 'edge':
      return edgeText(index, selection.edge);
    case 'group':
      return groupText(index, selection.group);
    case 'kernel':
      return groupText(index, index.groupOfKernel(selection.kernel));
    case 'pair':
      return `${shortName(index.op(selection.from).name)} and ${shortName(index.op(selection.to).name)}`;
    case undefined:
      return '';
  }
}

function opText(index: AnyIndex, id: number): string {
  if (index.of === 'launches') {
    const node = index.op(id);
    const group = node.group === null ? '' : `, group ${node.group}`;
    return `${shortName(node.name)}: ${detailText(node)}, ${fusibleText(node)}${group}`;
  }
  const op = index.op(id);
  return `${shortName(op.name)}: ${op.kind} ${typeText(op)}, ${bytesText(op.output_bytes)}, group ${op.group}`;
}

function edgeText(index: AnyIndex, edge: number): string {
  const ends = index.edges[edge];
  if (!ends) return '';
  const names = [ends.producer, ends.consumer].map((op) => shortName(index.op(op).name));
  if (index.of === 'launches')
    return `${names.join(' → ')}: ${ends.together ? 'inside one kernel' : index.isContested(edge) ? 'refused' : 'one after the other'}`;
  const decision = index.decision(edge);
  return `${names.join(' → ')}: ${reasonWords[decision.reason]}, ${bytesText(decision.bytes)}`;
}

function groupText(index: AnyIndex, id: number): string {
  if (index.of === 'launches') {
    const { members, pattern } = index.group(id);
    return `group ${id}: ${pattern}, ${plural(members.length, 'launch', 'launches')} as one`;
  }
  const { members, runs, bytes_read, bytes_written } = index.group(id);
  const what = { kernel: 'one kernel', library: 'a library call', none: 'nothing to run' }[runs];
  return `group ${id}: ${plural(members.length, 'op')}, ${what}, ${bytesText(sum(bytes_read, bytes_written))} moved`;
}
