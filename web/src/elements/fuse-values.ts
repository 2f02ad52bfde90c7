// <fuse-values>: the values of a buffer in columns; only the rows in sight are in the document.
// It must not know what the values are of.
import { css, html, LitElement } from 'lit';
import { property, state } from 'lit/decorators.js';
import { countText } from '../figures.js';

const ROW = 20;
const ROWS_SHOWN = 9;
/** Characters of the values' font, 12 px high. */
const CHARACTER = 7.3;

export class FuseValues extends LitElement {
  @property() label = '';
  @property({ attribute: false }) values: readonly string[] = [];
  @state() private top = 0;
  @state() private width = 300;
  #resize: ResizeObserver | undefined;

  static override styles = css`
    :host {
      display: block;
    }
    .list {
      position: relative;
      overflow: auto;
      border: 1px solid var(--line);
      border-radius: 4px;
      background: var(--surface);
      font: 12px/20px var(--mono);
    }
    .list:focus-visible {
      outline: 2px solid var(--accent);
      outline-offset: 1px;
    }
    .all {
      position: relative;
    }
    .row {
      position: absolute;
      left: 0;
      right: 0;
      display: flex;
      height: 20px;
      padding: 0 8px;
      white-space: pre;
    }
    .row > * {
      flex: none;
      text-align: end;
    }
    .at {
      color: var(--text-quiet);
    }
    .unwritten {
      color: var(--text-quiet);
    }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) this.width = entry.contentRect.width;
    });
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('values')) this.top = 0;
  }

  override render() {
    const { values } = this;
    const index = countText(Math.max(0, values.length - 1)).length + 1;
    const wide = values.reduce((most, value) => Math.max(most, value.length), 1) + 2;
    const room = (this.width - 34) / CHARACTER - index;
    const fits = Math.max(1, Math.floor(room / wide));
    const columns = 2 ** Math.floor(Math.log2(Math.min(16, fits)));
    const rows = Math.ceil(values.length / columns);
    const first = Math.max(0, Math.floor(this.top / ROW) - ROWS_SHOWN);
    const last = Math.min(rows, first + 3 * ROWS_SHOWN);
    return html`
      <div
        class="list"
        role="table"
        tabindex="0"
        aria-label=${this.label}
        aria-rowcount=${rows}
        .style=${`height: ${Math.min(rows, ROWS_SHOWN) * ROW + 2}px`}
        @scroll=${(event: Event) => (this.top = (event.target as HTMLElement).scrollTop)}
      >
        <div class="all" .style=${`height: ${rows * ROW}px; min-width: ${(index + wide * columns) * CHARACTER + 16}px`}>
          ${Array.from({ length: Math.max(0, last - first) }, (_, i) => this.#row(first + i, columns, index, wide))}
        </div>
      </div>
    `;
  }

  #row(row: number, columns: number, index: number, wide: number) {
    const start = row * columns;
    return html`<div class="row" role="row" aria-rowindex=${row + 1} .style=${`top: ${row * ROW}px`}>
      <span class="at" role="rowheader" .style=${`width: ${index}ch`}>${countText(start)}</span>
      ${this.values.slice(start, start + columns).map(
        (value) =>
          html`<span
            role="cell"
            class=${value === '-' ? 'unwritten' : ''}
            title=${value === '-' ? 'never written' : ''}
            .style=${`width: ${wide}ch`}
            >${value}</span
          >`,
      )}
    </div>`;
  }
}
