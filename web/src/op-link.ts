// An op's or a group's name in running text: a button that selects it.
// It must not know the sentence around it.
import { html, type TemplateResult } from 'lit';
import type { AnyIndex } from './plan-index.js';
import type { Store } from './store.js';
import { visibleText } from './visible-text.js';

const LONGEST = 60;

/** Names may be of any length and hold anything; a long one is cut in its middle and whole in the title. */
export function shortName(name: string): string {
  const short = name.length <= LONGEST ? name : `${name.slice(0, LONGEST / 2)}…${name.slice(-LONGEST / 2 + 1)}`;
  return visibleText(short);
}

export function opLink(store: Store, index: AnyIndex, op: number, pane: string): TemplateResult {
  const { name } = index.op(op);
  return html`<button
    type="button"
    class="op"
    title=${visibleText(name.slice(0, 1000))}
    @click=${(event: Event) => {
      event.stopPropagation();
      store.select({ kind: 'op', op }, pane);
    }}
  >${shortName(name)}</button>`;
}

/** The name alone, where it is no link. */
export function nameOf({ name }: { name: string }): TemplateResult {
  return html`<span class="name" title=${visibleText(name.slice(0, 1000))}>${shortName(name)}</span>`;
}

export function groupLink(store: Store, group: number): TemplateResult {
  return html`<button type="button" class="op" @click=${() => store.select({ kind: 'group', group }, 'why')}
    >group ${group}</button
  >`;
}
