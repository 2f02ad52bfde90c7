// How <fuse-costs> looks.
// It must not know what the figures are.
import { css } from 'lit';

export const costStyles = css`
  dl {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 10px 12px;
    margin: 0 0 12px;
  }
  @container (max-width: 430px) {
    dl > div {
      flex: 1 1 calc(50% - 6px);
    }
  }
  dt {
    font-size: 12px;
    color: var(--text-quiet);
  }
  dd {
    margin: 0;
    font-size: 18px;
    white-space: nowrap;
    font-weight: 600;
    line-height: 1.25;
    font-variant-numeric: tabular-nums;
  }
  dd.note {
    font-size: 11px;
    font-weight: 400;
    line-height: 1.4;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .bars {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 4px 8px;
    align-items: center;
    font-size: 11px;
    color: var(--text-quiet);
  }
  .bar {
    display: block;
    width: 100%;
    height: 8px;
    background: var(--surface-sunk);
    border-radius: 1px;
  }
  .bar .unfused {
    fill: color-mix(in srgb, var(--line-strong) 55%, transparent);
  }
  .bar .fused {
    fill: var(--fused);
  }
  .reread {
    margin: 8px 0 0;
    font-size: 12px;
  }
  .meaning {
    margin-top: 10px;
    font-size: 12px;
  }
  .head {
    display: flex;
    justify-content: space-between;
    align-items: center;
    margin-bottom: 4px;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  thead th {
    padding: 4px 0 4px 8px;
    border-bottom: 1px solid var(--line);
    font-size: 11px;
    font-weight: 400;
    color: var(--text-quiet);
  }
  thead th:first-child {
    padding-left: 6px;
    text-align: start;
  }
  td,
  tbody th {
    padding: 5px 6px 6px;
    border-bottom: 1px solid var(--line);
    vertical-align: top;
    font-weight: 400;
  }
  tbody th {
    width: 100%;
    max-width: 0;
    text-align: start;
  }
  td {
    padding-left: 8px;
    font-size: 12px;
  }
  tbody tr {
    cursor: pointer;
  }
  tbody tr:hover {
    background: var(--surface-raised);
  }
  tr.marked {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 0 var(--accent);
  }
  th > button,
  th > button[aria-pressed='true'] {
    display: flex;
    align-items: baseline;
    gap: 7px;
    width: 100%;
    height: auto;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    text-align: start;
  }
  table.launches tbody tr {
    cursor: default;
  }
  table.launches td {
    white-space: nowrap;
  }
  .id {
    font: 12px/1.5 var(--mono);
    color: var(--text-quiet);
    min-width: 1.5em;
  }
  .names {
    flex: 1;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font: 12px/1.5 var(--mono);
  }
  .runs {
    font-size: 11px;
    white-space: nowrap;
  }
  th .bar {
    height: 5px;
    margin-top: 3px;
  }
  .policies button {
    font: 12px/1.5 var(--mono);
  }
  .change {
    display: block;
    font-size: 11px;
  }
  .more,
  .resident {
    margin-top: 10px;
  }
`;
