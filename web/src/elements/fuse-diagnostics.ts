// <fuse-diagnostics>: the list of what is wrong with the text; choosing one asks to go there.
// It must not know the editor.
import { css, html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { countText, plural } from '../figures.js';
import type { Diagnostic } from '../plan.js';
import { controls } from '../theme.js';
import { visibleText } from '../visible-text.js';

const AT_ONCE = 50;
const glyphs = { error: '✕', warning: '▲', note: 'i' };

export class FuseDiagnostics extends LitElement {
  @property({ attribute: false }) diagnostics: readonly Diagnostic[] = [];
  @state() private shown = AT_ONCE;

  static override styles = [
    controls,
    css`
      :host {
        display: block;
        border-top: 1px solid var(--line);
        background: var(--surface-raised);
        overflow: auto;
      }
      ul {
        list-style: none;
        margin: 0;
        padding: 4px 0;
      }
      li > button {
        display: grid;
        grid-template-columns: 16px 1fr;
        gap: 0 6px;
        width: 100%;
        height: auto;
        padding: 4px 12px;
        border: 0;
        border-radius: 0;
        background: none;
        text-align: start;
        overflow-wrap: anywhere;
      }
      li > button:hover {
        background: var(--surface-sunk);
      }
      li > button:focus-visible {
        outline-offset: -2px;
      }
      .glyph {
        font-weight: 700;
        text-align: center;
      }
      .error .glyph,
      .error .code {
        color: var(--error);
      }
      .warning .glyph,
      .warning .code {
        color: var(--refused);
      }
      .code {
        font: 12px/1.5 var(--mono);
      }
      .hint {
        grid-column: 2;
      }
      .more {
        margin: 0 12px 6px 34px;
      }
    `,
  ];

  override render() {
    const { diagnostics } = this;
    if (diagnostics.length === 0) return nothing;
    const rest = diagnostics.length - this.shown;
    return html`
      <ul aria-label="Diagnostics">
        ${diagnostics.slice(0, this.shown).map(
          (diagnostic) => html`<li class=${diagnostic.severity}>
            <button type="button" @click=${() => this.#go(diagnostic)}>
              <span class="glyph" aria-hidden="true">${glyphs[diagnostic.severity]}</span>
              <span>
                <span class="code">${diagnostic.severity}[${diagnostic.code}]</span>
                ${visibleText(diagnostic.message)}
                ${diagnostic.line > 0
                  ? html`<span class="quiet">line ${countText(diagnostic.line)}:${countText(diagnostic.column)}</span>`
                  : nothing}
              </span>
              ${diagnostic.hint ? html`<span class="hint quiet">${visibleText(diagnostic.hint)}</span>` : nothing}
            </button>
          </li>`,
        )}
      </ul>
      ${rest > 0
        ? html`<button type="button" class="more" @click=${() => (this.shown += 10 * AT_ONCE)}>
            ${plural(rest, 'more')}
          </button>`
        : nothing}
    `;
  }

  #go(diagnostic: Diagnostic): void {
    this.dispatchEvent(new CustomEvent('fuse-go', { detail: diagnostic }));
  }
}
