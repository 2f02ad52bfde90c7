// Mouse, touch and wheel on a surface as pans, zooms, clicks and hovers, in px of the surface.
// It must not know what lies there.

export interface PointerActs {
  pan(dx: number, dy: number): void;
  zoom(x: number, y: number, factor: number): void;
  /** Whether this wheel event zooms; else the page has it. */
  wheelZooms(event: WheelEvent): boolean;
  click(x: number, y: number, extend: boolean): void;
  doubleClick(x: number, y: number): void;
  hover(x?: number, y?: number): void;
}

/** A press that moves less is a click. */
const STILL = 4;

export class PointerControl {
  #surface: SVGElement;
  #acts: PointerActs;
  #pressed = new Map<number, { x: number; y: number }>();
  #moved = false;
  #hover: { x: number; y: number } | undefined;

  constructor(surface: SVGElement, acts: PointerActs) {
    this.#surface = surface;
    this.#acts = acts;
    surface.addEventListener('pointerdown', (event) => this.#down(event));
    surface.addEventListener('pointermove', (event) => this.#move(event));
    surface.addEventListener('pointerup', (event) => this.#up(event));
    surface.addEventListener('pointercancel', (event) => this.#pressed.delete(event.pointerId));
    surface.addEventListener('pointerleave', () => this.#acts.hover());
    surface.addEventListener('dblclick', (event) => this.#acts.doubleClick(...this.#place(event)));
    surface.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
  }

  #place(event: MouseEvent): [number, number] {
    const { left, top } = this.#surface.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  #down(event: PointerEvent): void {
    if (event.button > 1) return;
    const [x, y] = this.#place(event);
    if (this.#pressed.size === 0) this.#moved = false;
    this.#pressed.set(event.pointerId, { x, y });
  }

  #move(event: PointerEvent): void {
    // The button may have been released outside, before the surface had captured the pointer.
    if (event.pointerType === 'mouse' && event.buttons === 0) this.#pressed.delete(event.pointerId);
    const [x, y] = this.#place(event);
    const from = this.#pressed.get(event.pointerId);
    if (!from) {
      this.#hoverSoon(x, y);
      return;
    }
    if (!this.#moved && Math.hypot(x - from.x, y - from.y) < STILL) return;
    if (!this.#moved) this.#surface.setPointerCapture(event.pointerId);
    this.#moved = true;
    const other = [...this.#pressed].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const before = Math.hypot(from.x - other.x, from.y - other.y);
      const now = Math.hypot(x - other.x, y - other.y);
      if (before > 0 && now > 0) this.#acts.zoom((x + other.x) / 2, (y + other.y) / 2, now / before);
      this.#acts.pan((x - from.x) / 2, (y - from.y) / 2);
    } else {
      this.#acts.pan(x - from.x, y - from.y);
    }
    this.#pressed.set(event.pointerId, { x, y });
  }

  #up(event: PointerEvent): void {
    const wasPressed = this.#pressed.delete(event.pointerId);
    if (!wasPressed || this.#moved || this.#pressed.size > 0) return;
    this.#acts.click(...this.#place(event), event.shiftKey);
  }

  #wheel(event: WheelEvent): void {
    if (!this.#acts.wheelZooms(event)) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.shiftKey) this.#acts.pan(-(event.deltaX + event.deltaY) * unit, 0);
    else {
      const speed = event.ctrlKey ? 0.01 : 0.0015;
      const delta = Math.max(-300, Math.min(300, event.deltaY * unit));
      this.#acts.zoom(...this.#place(event), Math.exp(-delta * speed));
    }
  }

  /** At most one look-up a frame. */
  #hoverSoon(x: number, y: number): void {
    const waiting = this.#hover !== undefined;
    this.#hover = { x, y };
    if (waiting) return;
    requestAnimationFrame(() => {
      if (this.#hover && this.#pressed.size === 0) this.#acts.hover(this.#hover.x, this.#hover.y);
      this.#hover = undefined;
    });
  }
}
