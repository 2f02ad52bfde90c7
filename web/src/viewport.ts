// Where the graph stands in its pane: a shift and a scale, and the arithmetic of zooming, panning and fitting.
// It must not know what is drawn.

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const LARGEST = 4;
const PADDING = 16;

export class Viewport {
  /** Of the pane, in px. */
  width = 0;
  height = 0;
  /** pane = graph * scale + (x, y). */
  x = 0;
  y = 0;
  scale = 1;
  /** Of the drawing, in its own px. */
  total_width = 0;
  total_height = 0;

  get transform(): string {
    return `translate(${this.x.toFixed(2)} ${this.y.toFixed(2)}) scale(${this.scale.toFixed(5)})`;
  }

  /** The part of the graph in sight, wider by `margin` panes on each side. */
  inSight(margin: number): Rect {
    const left = -this.x / this.scale;
    const top = -this.y / this.scale;
    const width = this.width / this.scale;
    const height = this.height / this.scale;
    return {
      left: left - width * margin,
      top: top - height * margin,
      right: left + width * (1 + margin),
      bottom: top + height * (1 + margin),
    };
  }

  /** Whether some of the drawing is in sight. */
  showsSome(): boolean {
    const { left, top, right, bottom } = this.inSight(0);
    return left < this.total_width && top < this.total_height && right > 0 && bottom > 0;
  }

  /** The whole drawing, never magnified beyond its own size. */
  fit(): void {
    this.scale = Math.min(1, this.#fitScale());
    this.x = (this.width - this.total_width * this.scale) / 2;
    this.y = Math.max(PADDING, (this.height - this.total_height * this.scale) / 2);
  }

  /** The whole drawing, or its readable beginning around `anchor` where the whole would be too small to read. */
  start(readable: number, anchor: number): void {
    this.fit();
    if (this.scale >= readable) return;
    this.scale = readable;
    const spare = this.width - this.total_width * readable;
    const whole = spare >= 2 * PADDING;
    // No room beside a drawing that needs more than there is.
    this.x = whole ? spare / 2 : Math.min(PADDING, Math.max(spare - PADDING, this.width / 2 - anchor * readable));
    this.y = this.total_height * readable <= this.height ? (this.height - this.total_height * readable) / 2 : PADDING;
  }

  zoomAt(px: number, py: number, factor: number): void {
    const scale = Math.min(LARGEST, Math.max(Math.min(0.5, this.#fitScale()) * 0.8, this.scale * factor));
    this.x = px - ((px - this.x) / this.scale) * scale;
    this.y = py - ((py - this.y) / this.scale) * scale;
    this.scale = scale;
    this.#keepNear();
  }

  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    this.#keepNear();
  }

  /** Moves a place of the graph into sight, to the middle where it was out of it. */
  reveal(x: number, y: number): void {
    const px = x * this.scale + this.x;
    const py = y * this.scale + this.y;
    if (px > 24 && px < this.width - 24 && py > 24 && py < this.height - 24) return;
    this.pan(this.width / 2 - px, this.height / 2 - py);
  }

  /** Some of the drawing stays in sight. */
  #keepNear(): void {
    const keep = 60;
    this.x = Math.min(this.width - keep, Math.max(keep - this.total_width * this.scale, this.x));
    this.y = Math.min(this.height - keep, Math.max(keep - this.total_height * this.scale, this.y));
  }

  #fitScale(): number {
    const wide = Math.max(1, this.width - 2 * PADDING) / Math.max(1, this.total_width);
    const high = Math.max(1, this.height - 2 * PADDING) / Math.max(1, this.total_height);
    return Math.min(wide, high);
  }
}

export function holds(outer: Rect, inner: Rect): boolean {
  return (
    outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom
  );
}
