// How <fuse-run> looks: a table where there is room, a card for each kernel where there is not.
// It must not know what the figures are.
import { css } from 'lit';

export const runStyles = css`
  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 14px;
  }
  .controls .primary {
    min-width: 84px;
    background: var(--accent);
    border-color: var(--accent);
    color: var(--surface);
    font-weight: 600;
  }
  .controls .primary[aria-disabled='true'] {
    background: var(--surface-sunk);
    border-color: var(--line);
    color: var(--text-quiet);
    cursor: default;
  }
  .seed input {
    width: 84px;
  }
  .meaning {
    margin-top: 10px;
    font-size: 12px;
  }
  .verdict p,
  .unfused p {
    display: flex;
    gap: 8px;
  }
  .verdict p {
    margin-top: 10px;
    padding: 7px 10px;
    border-radius: 4px;
    border: 1px solid var(--line);
    background: var(--surface-raised);
    font-weight: 600;
  }
  .verdict .good {
    border-color: color-mix(in srgb, var(--fused) 50%, transparent);
    background: var(--fused-soft);
  }
  .verdict .partly {
    border-color: color-mix(in srgb, var(--refused) 50%, transparent);
    background: var(--refused-soft);
  }
  .verdict .bad {
    border-color: color-mix(in srgb, var(--error) 50%, transparent);
    background: var(--error-soft);
  }
  .verdict .quiet {
    color: var(--text);
  }
  .glyph {
    flex: none;
    width: 12px;
    text-align: center;
    font-weight: 700;
  }
  .progress {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 10px;
    margin-top: 10px;
    font-size: 12px;
  }
  .progress .quiet {
    flex: 1 1 150px;
    font-variant-numeric: tabular-nums;
  }
  progress {
    flex: 1 1 100px;
    height: 8px;
    min-width: 80px;
    accent-color: var(--accent);
  }
  .kernels {
    padding: 0 0 8px;
  }
  .kernels > table {
    width: 100%;
    border-collapse: collapse;
    font-size: 12px;
  }
  thead th {
    padding: 6px 6px 4px 8px;
    font-size: 11px;
    font-weight: 400;
    color: var(--text-quiet);
    white-space: nowrap;
  }
  thead th:first-child {
    padding-left: 14px;
    text-align: start;
  }
  thead th:last-child,
  .kernel td:last-child {
    padding-right: 14px;
  }
  .kernel th,
  .kernel td {
    padding: 5px 6px 5px 8px;
    border-top: 1px solid var(--line);
    vertical-align: top;
    font-weight: 400;
  }
  .kernel th {
    width: 100%;
    max-width: 0;
    padding-left: 14px;
    text-align: start;
  }
  tr.marked {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 0 var(--accent);
  }
  button.name {
    display: flex;
    align-items: baseline;
    gap: 6px;
    width: 100%;
    height: auto;
    padding: 0;
    border: 0;
    background: none;
    text-align: start;
  }
  button.name .mono {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .chevron {
    margin-left: auto;
    color: var(--text-quiet);
  }
  button.name:hover .mono {
    text-decoration: underline;
  }
  .second {
    display: block;
    color: var(--text-quiet);
    font-size: 11px;
  }
  .second.bad {
    color: var(--error);
    font-weight: 600;
  }
  .kernel th .second {
    padding-left: 18px;
  }
  .unit {
    color: var(--text-quiet);
    font-size: 11px;
  }
  .opened td {
    padding: 2px 14px 10px 32px;
    text-align: start;
    overflow-wrap: anywhere;
  }
  .opened p + p {
    margin-top: 2px;
  }
  .opened ul {
    margin: 4px 0 0;
    padding-left: 18px;
  }
  .opened code {
    font: 12px/1.5 var(--mono);
  }
  .counters {
    margin-top: 6px;
  }
  .more {
    margin: 10px 14px 0;
  }
  .help {
    display: grid;
    gap: 4px;
    margin: 6px 0 0;
    font-size: 12px;
  }
  .help dt {
    display: inline;
    font-weight: 600;
  }
  .help dt::after {
    content: ': ';
  }
  .help dd {
    display: inline;
    margin: 0;
    color: var(--text-quiet);
  }
  @container (max-width: 470px) {
    .kernels > table,
    .kernels > table > tbody {
      display: block;
    }
    .kernels > table > thead {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .kernel {
      display: grid;
      grid-template-columns: 1.15fr 1.1fr 1.1fr 0.8fr 0.7fr;
      gap: 2px 4px;
      padding: 7px 14px 8px;
      border-top: 1px solid var(--line);
    }
    .kernel th,
    .kernel td,
    .kernel td:last-child {
      padding-block: 0;
      padding-right: 0;
      border: 0;
      max-width: none;
      text-align: start;
    }
    .kernel th {
      grid-column: 1 / -1;
      padding-left: 0;
    }
    .kernel td {
      margin-top: 3px;
      padding-left: 18px;
    }
    .kernel td ~ td {
      padding-left: 4px;
    }
    .kernel:first-child {
      border-top: 0;
    }
    .kernel td.blank {
      display: none;
    }
    .kernel td::before {
      content: attr(data-label);
      display: block;
      font-size: 11px;
      color: var(--text-quiet);
    }
    .opened {
      display: block;
    }
    .opened > td {
      display: block;
    }
  }
  @container (max-width: 385px) {
    .kernel {
      grid-template-columns: repeat(3, 1fr);
    }
    .kernel td:nth-of-type(4) {
      padding-left: 18px;
    }
  }
`;
