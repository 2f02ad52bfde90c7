// Brings a row of a scrolling pane into sight, and scrolls nothing around the pane.
// It must not know what the row shows.
export function bringIntoSight(pane: HTMLElement, row: Element | null): void {
  if (!row) return;
  const outer = pane.getBoundingClientRect();
  const inner = row.getBoundingClientRect();
  const above = inner.top - outer.top;
  const below = inner.bottom - outer.bottom;
  if (above < 0) pane.scrollTop += above;
  else if (below > 0) pane.scrollTop += Math.min(above, below);
}
