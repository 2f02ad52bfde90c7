// What every pane says where the plan on show is of an older text.
// It must not know why the text could not be planned.
import { html, nothing, type TemplateResult } from 'lit';
import type { Store } from '../store.js';

export const staleWords = 'Plan of the last text that could be planned';

export function staleNote(store: Store): TemplateResult | typeof nothing {
  return store.stale ? html`<p class="stale-note">${staleWords}</p>` : nothing;
}
