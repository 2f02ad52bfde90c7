// <fuse-status>: one line on how the plan on show relates to the text, with the way out where there is one.
// It must not know panes.
import { css, html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Stop } from '../engine.js';
import { plural } from '../figures.js';
import type { AnyIndex } from '../plan-index.js';
import type { Session } from '../session.js';
import { StoreController } from '../store-controller.js';
import type { Status, Store } from '../store.js';
import { controls } from '../theme.js';

/** Shorter work says nothing. */
const SLOW_MS = 500;
/** The core tells no more errors than this. */
const FAULTS_KEPT = 1000;

export class FuseStatus extends LitElement {
  @property({ attribute: false }) store!: Store;
  @property({ attribute: false }) session!: Session;
  @state() private slow = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the last run came to: it stands until the next one has an answer, or takes long. */
  #last: Status = { is: 'starting' };

  static override styles = [
    controls,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 2px 10px;
        font-size: 12px;
        color: var(--text-quiet);
      }
      .error {
        color: var(--error);
        font-weight: 600;
      }
      .warning {
        color: var(--refused);
      }
      button {
        height: 22px;
      }
    `,
  ];

  constructor() {
    super();
    new StoreController(this, () => this.store, (now, before) => {
      if (now.status === before.status) return;
      clearTimeout(this.#timer);
      if (now.status.is === 'running') this.#timer = setTimeout(() => (this.slow = true), SLOW_MS);
      else {
        this.slow = false;
        this.#last = now.status;
      }
    });
  }

  override render() {
    return html`<span role="status">${this.#words()}</span>${this.#way()}`;
  }

  #words() {
    const { index, diagnostics } = this.store.state;
    const running = this.store.state.status.is === 'running';
    const status = running ? this.#last : this.store.state.status;
    if (running && this.slow) return 'Working…';
    const old = index ? ' Shown is the last plan.' : '';
    switch (status.is) {
      case 'starting':
        return 'Starting…';
      case 'running':
        return 'Working…';
      case 'planned':
        return this.#figures(status.milliseconds);
      case 'broken': {
        const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
        return html`<span class="error">✕ ${errors >= FAULTS_KEPT ? 'At least ' : ''}${plural(errors, 'error')}.</span>${old}`;
      }
      case 'stopped':
        return html`<span class="error">✕ ${stopText(status.stop)}</span>${old} The text is kept.`;
    }
  }

  #figures(milliseconds: number) {
    const { index, diagnostics } = this.store.state;
    if (!index) return nothing;
    const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
    const took = milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds);
    return html`${planFigures(index)} in ${took} ms${warnings > 0
      ? html` <span class="warning">▲ ${plural(warnings, 'warning')}</span>`
      : nothing}`;
  }

  #way() {
    const { is } = this.store.state.status;
    if (is === 'running' && this.slow)
      return html`<button type="button" @click=${() => this.session.cancel()}>Cancel</button>`;
    if (is === 'stopped')
      return html`<button type="button" @click=${() => this.session.runAgain()}>Run again</button>`;
    return nothing;
  }
}

function planFigures(index: AnyIndex): string {
  const groups = plural(index.groups.length, 'group');
  if (index.of === 'launches') {
    const { nodes, launches_saved } = index.plan;
    return `${plural(nodes.length, 'node')}, ${groups}, ${plural(launches_saved, 'launch', 'launches')} saved`;
  }
  return `${plural(index.ops.length, 'op')}, ${groups}, ${plural(index.kernelCount, 'launch', 'launches')}`;
}

function stopText(stop: Stop): string {
  switch (stop.why) {
    case 'cancelled':
    case 'superseded':
      return 'Cancelled.';
    case 'too-long':
      return `Ended after ${stop.seconds} s.`;
    case 'crashed':
      return `The core stopped (${stop.message.slice(0, 200)}).`;
  }
}
