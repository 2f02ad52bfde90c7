// How <fuse-board> stands: its header, and the places of the panes when wide, medium and narrow.
// It must not know what the panes show.
import { css } from 'lit';

export const boardStyles = css`
  :host {
    box-sizing: border-box;
    display: flex;
    flex-direction: column;
    height: var(--board-height, 100%);
    min-height: 240px;
    min-width: 0;
    overflow: hidden;
  }
  :host([embedded]) {
    height: var(--board-height, 480px);
    border: 1px solid var(--line);
    border-radius: 6px;
  }
  :host([hidden]) {
    display: none;
  }
  .header {
    flex: none;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
    padding: 7px 14px 0;
    border-bottom: 1px solid var(--line);
  }
  .header.narrow .what,
  .header.narrow .options label:has([value='bias-gelu.json']) {
    flex-basis: 100%;
    font-size: 12px;
  }
  .header.narrow .options {
    flex: 1;
    justify-content: space-between;
  }
  h1 {
    margin: 0;
    font-size: 15px;
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  .what {
    flex: 1 1 200px;
    color: var(--text-quiet);
  }
  .header.narrow .rest {
    display: none;
  }
  .options {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
    margin-left: auto;
    font-size: 12px;
  }
  .options label {
    color: var(--text-quiet);
  }
  .options select {
    color: var(--text);
    max-width: 240px;
  }
  .switch {
    display: inline-flex;
  }
  .switch button {
    border-radius: 4px 0 0 4px;
  }
  .switch button + button {
    margin-left: -1px;
    border-radius: 0 4px 4px 0;
  }
  .switch button[aria-pressed='true'] {
    position: relative;
    z-index: 1;
  }
  .strip {
    flex: 1 0 100%;
    display: flex;
    flex-wrap: wrap;
    gap: 2px 20px;
    justify-content: space-between;
    margin: 1px -14px 0;
    padding: 4px 14px;
    background: var(--surface-raised);
    border-top: 1px solid var(--line);
    font-size: 12px;
  }
  .strip p {
    flex: 1 1 320px;
    color: var(--text);
  }
  .strip .failed {
    color: var(--error);
  }
  .panes {
    flex: 1;
    min-height: 0;
    display: grid;
    gap: 1px;
    background: var(--line);
  }
  .pane {
    position: relative;
    display: grid;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    min-width: 0;
    min-height: 0;
    background: var(--surface);
  }
  .source {
    grid-area: source;
  }
  .graph {
    grid-area: graph;
  }
  .side {
    grid-area: side;
  }
  .tabs {
    grid-area: tabs;
    display: flex;
    gap: 2px;
    padding: 0 8px;
    background: var(--surface);
    overflow-x: auto;
  }
  .tabs button {
    height: 34px;
    padding: 0 10px;
    border: 0;
    border-bottom: 2px solid transparent;
    border-radius: 0;
    background: none;
    color: var(--text-quiet);
    white-space: nowrap;
  }
  .narrow > .tabs {
    padding: 0 4px;
    gap: 0;
  }
  .narrow > .tabs button {
    flex: 1 0 auto;
    padding: 0 4px;
    font-size: 12px;
  }
  .tabs button:hover {
    color: var(--text);
  }
  .tabs button[aria-selected='true'] {
    border-bottom-color: var(--accent);
    color: var(--text);
    font-weight: 600;
  }
  .tabs button:focus-visible {
    outline-offset: -3px;
  }
  .main-source-graph.sided.wide {
    grid-template:
      'source graph tabs' 34px 'source graph side' minmax(0, 1fr)
      / var(--source-width, minmax(300px, 30%)) minmax(180px, 1fr) var(--side-width, minmax(340px, 30%));
  }
  .main-source-graph.sided.medium {
    grid-template:
      'source graph' minmax(0, 1.2fr) 'tabs tabs' 34px 'side side' minmax(0, 1fr)
      / var(--source-width, minmax(0, 45%)) minmax(180px, 1fr);
  }
  .main-source-graph:not(.sided) {
    grid-template: 'source graph' minmax(0, 1fr) / var(--source-width, minmax(0, 45%)) minmax(180px, 1fr);
  }
  .main-graph.sided {
    grid-template: 'graph tabs' auto 'graph side' minmax(0, 1fr) / minmax(180px, 1fr) var(--side-width, minmax(280px, 40%));
  }
  .main-source.sided {
    grid-template: 'source tabs' auto 'source side' minmax(0, 1fr)
      / var(--source-width, minmax(0, 1fr)) minmax(160px, 1fr);
  }
  .main-graph:not(.sided) {
    grid-template: 'graph' minmax(0, 1fr) / minmax(0, 1fr);
  }
  .main-source:not(.sided) {
    grid-template: 'source' minmax(0, 1fr) / minmax(0, 1fr);
  }
  .main-none {
    grid-template: 'tabs' auto 'side' minmax(0, 1fr) / minmax(0, 1fr);
  }
`;
