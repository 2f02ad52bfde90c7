// <fuse-graph>: the graph and its groups as SVG, drawn where it is in sight; zoom, pan, select by pointer and keys.
// It must not know how a graph is laid out: the core did.
import { html, LitElement, nothing, svg } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import type { AnyIndex } from '../plan-index.js';
import { PointerControl } from '../pointer-control.js';
import { Scene, type Hit } from '../scene.js';
import type { Session } from '../session.js';
import { nothingMarked } from '../selection.js';
import { StoreController } from '../store-controller.js';
import type { State, Store } from '../store.js';
import { controls } from '../theme.js';
import { holds, Viewport, type Rect } from '../viewport.js';
import { detailAt, drawMarks, drawScene, type Detail } from './fuse-graph-drawing.js';
import { actOnKey } from './fuse-graph-keys.js';
import { readout } from './fuse-graph-readout.js';
import { graphStyles } from './fuse-graph-styles.js';
import { staleWords } from './stale-note.js';

/** Below this scale labels cannot be read: a large graph starts at it, with its beginning. */
const READABLE = 0.6;
/** Ops of a new plan that are looked up in the old one, to tell an edit from another graph. */
const COMPARED = 200;

export class FuseGraph extends LitElement {
  @property({ attribute: false }) store!: Store;
  @property({ attribute: false }) session!: Session;
  /** Whether the wheel zooms only once the graph has the focus, so that a page around it scrolls. */
  @property({ type: Boolean }) embedded = false;
  @state() private hovered: Hit | undefined;
  @query('svg') private svg!: SVGSVGElement;

  readonly view = new Viewport();
  scene: Scene | undefined;
  #window: Rect | undefined;
  #detail: Detail | undefined;
  #drawing: unknown = nothing;
  /** Until the first zoom or pan the graph is fitted to its pane whenever either changes. */
  #untouched = true;
  #resize: ResizeObserver | undefined;

  static override styles = [controls, graphStyles];

  constructor() {
    super();
    new StoreController(this, () => this.store, (now, before) => this.#follow(now, before));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(() => this.#measure());
    if (this.hasUpdated) this.#resize.observe(this.svg);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
  }

  override firstUpdated(): void {
    this.#resize?.observe(this.svg);
    new PointerControl(this.svg, {
      pan: (dx, dy) => this.#move(() => this.view.pan(dx, dy)),
      zoom: (x, y, factor) => this.#move(() => this.view.zoomAt(x, y, factor)),
      wheelZooms: (event) => !this.embedded || event.ctrlKey || this.renderRoot.contains(this.shadowRoot?.activeElement ?? null),
      click: (x, y, extend) => this.#click(this.#hit(x, y), extend),
      doubleClick: (x, y) => this.#enter(this.#hit(x, y)),
      hover: (x, y) => (this.hovered = x === undefined || y === undefined ? undefined : this.#hit(x, y)),
    });
  }

  override render() {
    const { index, marked } = this.store.state;
    const drawing = this.#draw();
    return html`
      <div class="stage">
      <svg
        tabindex="0"
        role="application"
        aria-roledescription="graph"
        aria-label="Graph of ops and their groups"
        aria-describedby="keys"
        class=${this.store.stale ? 'stale' : ''}
        data-detail=${this.#detail ?? ''}
        @keydown=${(event: KeyboardEvent) => actOnKey(event, this)}
      >
        <g class="world" transform=${this.view.transform}>
          ${drawing}
          ${this.scene ? svg`<g class="marks">${drawMarks(this.scene, marked)}</g>` : nothing}
          ${this.scene ? this.#drawHovered(this.scene) : nothing}
        </g>
      </svg>
      ${this.store.stale ? html`<p class="badge">${staleWords}</p>` : nothing}
      ${index ? nothing : html`<p class="empty">The graph appears here once it can be planned.</p>`}
      ${index && index.ops.length === 0 && !this.store.stale ? html`<p class="empty">This graph has no ops.</p>` : nothing}
      </div>
      <div class="foot">
      ${readout(this.store, index, this.hovered)}
      ${this.#guess(index)}
      <div class="tools" role="group" aria-label="View">
        <button type="button" title="Zoom in (+)" aria-label="Zoom in" @click=${() => this.zoom(1.25)}>+</button>
        <button type="button" title="Zoom out (−)" aria-label="Zoom out" @click=${() => this.zoom(0.8)}>−</button>
        <button type="button" title="Fit the whole graph (0)" @click=${() => this.fit()}>Fit</button>
      </div>
      </div>
      <p id="keys" class="visually-hidden">
        Arrow keys follow edges from op to op, up to producers and down to consumers. Enter selects the op's group,
        Escape nothing. Plus and minus zoom, zero fits, Shift with an arrow pans.
      </p>
    `;
  }

  /** Of a selected launch whose fusible flag is a guess: a click says otherwise. */
  #guess(index: AnyIndex | null) {
    const { selection } = this.store.state;
    if (index?.of !== 'launches' || selection?.kind !== 'op') return nothing;
    const guess = index.guessOf(selection.op);
    if (!guess) return nothing;
    return html`<button
      type="button"
      class="guess"
      aria-pressed=${guess.fusible}
      title="Guessed from its name: click to say otherwise, of all launches of this function"
      @click=${() => this.session.turnGuess(guess)}
    >fusible</button>`;
  }

  fit(): void {
    this.view.fit();
    this.#untouched = true;
    this.requestUpdate();
  }

  zoom(factor: number): void {
    this.#move(() => this.view.zoomAt(this.view.width / 2, this.view.height / 2, factor));
  }

  panBy(dx: number, dy: number): void {
    this.#move(() => this.view.pan(dx, dy));
  }

  /** Selects an op and brings it into sight. */
  goTo(op: number): void {
    this.store.select({ kind: 'op', op }, 'graph');
    this.#reveal(op);
  }

  /** The drawing of the window in sight; the old one as long as it covers the view at the same detail. */
  #draw(): unknown {
    const { index } = this.store.state;
    if (!index) return nothing;
    if (this.scene?.index !== index) {
      this.scene = new Scene(index);
      this.#window = undefined;
    }
    const detail = detailAt(this.view.scale);
    if (!this.#window || this.#detail !== detail || !holds(this.#window, this.view.inSight(0))) {
      this.#window = this.view.inSight(0.4);
      this.#detail = detail;
      this.#drawing = drawScene(this.scene, this.#window, detail);
    }
    return this.#drawing;
  }

  #drawHovered(scene: Scene) {
    const { hovered } = this;
    if (!hovered) return nothing;
    const over =
      'op' in hovered
        ? { ...nothingMarked, ops: new Set([hovered.op]) }
        : 'edge' in hovered
          ? { ...nothingMarked, edges: new Set([hovered.edge]) }
          : { ...nothingMarked, groups: new Set([hovered.group]) };
    return svg`<g class="hover">${drawMarks(scene, over)}</g>`;
  }

  #hit(x: number, y: number): Hit | undefined {
    const { view } = this;
    return this.scene?.hit((x - view.x) / view.scale, (y - view.y) / view.scale, 6 / view.scale);
  }

  #click(hit: Hit | undefined, extend: boolean): void {
    const { selection } = this.store.state;
    if (!hit) this.store.select(null, 'graph');
    else if ('op' in hit && extend && selection?.kind === 'op' && selection.op !== hit.op)
      this.store.select({ kind: 'pair', from: selection.op, to: hit.op }, 'graph');
    else if ('op' in hit) this.store.select({ kind: 'op', op: hit.op }, 'graph');
    else if ('edge' in hit && hit.edge < (this.store.state.index?.edges.length ?? 0))
      this.store.select({ kind: 'edge', edge: hit.edge }, 'graph');
    else if ('group' in hit) this.store.select({ kind: 'group', group: hit.group }, 'graph');
  }

  #enter(hit: Hit | undefined): void {
    if (hit && 'op' in hit) this.enter(hit.op);
  }

  /** Selects the group of an op, where it is in one. */
  enter(op: number): void {
    const group = this.store.state.index?.op(op).group ?? null;
    if (group !== null) this.store.select({ kind: 'group', group }, 'graph');
  }

  #follow(now: State, before: State): void {
    if (now.index !== before.index && now.index) {
      const fresh = now.document !== this.#documentShown || !before.index;
      this.#documentShown = now.document;
      this.view.total_width = now.index.layout.total_width;
      this.view.total_height = now.index.layout.total_height;
      this.hovered = undefined;
      // A view that was chosen for one graph is of no use for another.
      if (fresh || !this.view.showsSome()) this.#untouched = true;
      else if (!this.#untouched && before.index) this.#untouched = isAnother(now.index, before.index);
      if (this.#untouched) this.#start();
    }
    if (now.selection !== before.selection && now.selectedBy !== 'graph' && now.selectedBy !== '') {
      const [op] = now.marked.ops;
      if (op !== undefined && this.scene?.index === now.index) this.#reveal(op);
    }
  }
  #documentShown = -1;

  #start(): void {
    const { index } = this.store.state;
    if (!index || this.view.width === 0) return;
    const first = index.layout.x[0] ?? 0;
    this.view.start(READABLE, first + (index.layout.width[0] ?? 0) / 2);
    this.requestUpdate();
  }

  #reveal(op: number): void {
    const rect = this.scene?.opRect(op);
    if (!rect) return;
    const before = this.view.transform;
    this.view.reveal((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2);
    if (this.view.transform !== before) this.#untouched = false;
    this.requestUpdate();
  }

  #move(change: () => void): void {
    change();
    this.#untouched = false;
    this.requestUpdate();
  }

  #measure(): void {
    const { clientWidth, clientHeight } = this.svg;
    if (clientWidth === 0 || (clientWidth === this.view.width && clientHeight === this.view.height)) return;
    this.view.width = clientWidth;
    this.view.height = clientHeight;
    if (this.#untouched) this.#start();
    this.requestUpdate();
  }
}

/** Whether none of the ops that a plan begins with was in the plan before it. */
function isAnother(now: AnyIndex, before: AnyIndex): boolean {
  return now.ops.slice(0, COMPARED).every((op) => before.opNamed(op.name) === undefined);
}
