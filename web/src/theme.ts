// How everything looks: colours for light and dark, type, and the controls that all elements share.
// It must not know any element.
import { css } from 'lit';

/** Colours and measures, set on the board and inherited by all within. Text colours pass AA on every surface here. */
export const theme = css`
  :host {
    color-scheme: light dark;
    --surface: light-dark(#ffffff, #14171a);
    --surface-raised: light-dark(#f5f6f8, #1b1f23);
    --surface-sunk: light-dark(#eceef1, #0f1214);
    --line: light-dark(#d6dae0, #30363d);
    --line-strong: light-dark(#79828d, #7b8591);
    --text: light-dark(#15181c, #e4e8ec);
    --text-quiet: light-dark(#55606c, #9ba6b2);
    --accent: light-dark(#0a58b0, #79b8ff);
    --accent-soft: light-dark(#e3edf9, #17293e);
    --fused: light-dark(#0b6b5d, #56c7b3);
    --fused-soft: light-dark(#edf6f3, #142421);
    --refused: light-dark(#8f4700, #e5a64e);
    --refused-soft: light-dark(#fbf0e2, #2f2412);
    --error: light-dark(#b3211a, #ff8f85);
    --error-soft: light-dark(#fdecea, #361816);
    --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace;
    --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif;
    font: 13px/1.45 var(--sans);
    color: var(--text);
    background: var(--surface);
    text-align: start;
    letter-spacing: normal;
    text-transform: none;
    white-space: normal;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
`;

/** Buttons, selects, links to ops, tables: one look in all panes. */
export const controls = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  button,
  select,
  input {
    font: inherit;
    color: inherit;
    height: 26px;
    padding: 0 8px;
    border: 1px solid var(--line);
    border-radius: 4px;
    background: var(--surface);
  }
  button,
  select,
  label:has(input[type='checkbox']) {
    cursor: pointer;
  }
  button:hover,
  select:hover {
    border-color: var(--line-strong);
  }
  button[aria-pressed='true'] {
    background: var(--accent-soft);
    border-color: var(--accent);
    color: var(--accent);
  }
  button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  label {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  input[type='checkbox'] {
    height: 14px;
    width: 14px;
    margin: 0;
    accent-color: var(--accent);
  }
  button.op {
    height: auto;
    padding: 0 3px;
    margin: 0 -1px;
    border: 0;
    border-radius: 3px;
    background: none;
    color: var(--accent);
    font: 12px/1.5 var(--mono);
    text-align: start;
    overflow-wrap: anywhere;
    text-decoration: underline;
    text-decoration-color: color-mix(in srgb, currentColor 35%, transparent);
    text-underline-offset: 2px;
  }
  button.op:hover {
    text-decoration-color: currentColor;
  }
  .quiet {
    color: var(--text-quiet);
  }
  .mono {
    font: 12px/1.5 var(--mono);
  }
  .number {
    font-variant-numeric: tabular-nums;
    text-align: end;
    white-space: nowrap;
  }
  h2,
  h3 {
    margin: 0;
    font-size: 12px;
    font-weight: 600;
  }
  p {
    margin: 0;
  }
  .empty {
    padding: 24px 16px;
    color: var(--text-quiet);
    max-width: 48ch;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
