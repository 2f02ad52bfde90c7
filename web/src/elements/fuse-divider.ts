// <fuse-divider>: the grip on a pane's right edge; dragging or arrow keys ask for other widths.
// It must not know what stands on its sides: it tells the widths wanted.
import { css, html, LitElement } from 'lit';
import { property } from 'lit/decorators.js';

const STEP = 24;

export class FuseDivider extends LitElement {
  @property() label = '';

  static override styles = css`
    :host {
      position: absolute;
      top: 0;
      right: -4px;
      bottom: 0;
      width: 8px;
      z-index: 2;
    }
    div {
      height: 100%;
      cursor: col-resize;
      touch-action: none;
    }
    div:hover,
    div:focus-visible {
      outline: none;
      background: linear-gradient(to right, transparent 2px, var(--accent) 2px 5px, transparent 5px);
    }
  `;

  override render() {
    return html`<div
      role="separator"
      aria-orientation="vertical"
      aria-label=${this.label}
      aria-valuenow="50"
      tabindex="0"
      @pointerdown=${(event: PointerEvent) => (event.target as Element).setPointerCapture(event.pointerId)}
      @pointermove=${(event: PointerEvent) => {
        if ((event.target as Element).hasPointerCapture(event.pointerId)) this.#ask(event.clientX);
      }}
      @keydown=${(event: KeyboardEvent) => {
        const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        this.#ask(this.getBoundingClientRect().left + 4 + by);
      }}
    ></div>`;
  }

  /** `before`: from the pane's left edge to x; `after`: from x to the right edge of the row. */
  #ask(x: number): void {
    const pane = this.parentElement?.getBoundingClientRect();
    const row = this.parentElement?.parentElement?.getBoundingClientRect();
    if (!pane || !row) return;
    const detail = { before: x - pane.left, after: row.right - x };
    this.dispatchEvent(new CustomEvent('fuse-divide', { detail }));
  }
}
