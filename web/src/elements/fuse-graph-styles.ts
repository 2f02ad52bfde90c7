// How <fuse-graph> looks; every class of op differs in outline as well as in colour.
// It must not know what is drawn where.
import { css } from 'lit';

export const graphStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    min-width: 0;
    overflow: hidden;
    background: var(--surface-raised);
    container-type: inline-size;
  }
  .stage {
    flex: 1;
    position: relative;
    min-height: 0;
  }
  .badge {
    position: absolute;
    top: 8px;
    left: 8px;
    max-width: max(104px, calc(100% - 140px));
    padding: 2px 8px;
    border: 1px solid var(--error);
    border-radius: 4px;
    background: var(--surface);
    color: var(--error);
    font-size: 12px;
  }
  svg:not(.sample) {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    touch-action: none;
    user-select: none;
    -webkit-user-select: none;
    cursor: grab;
  }
  svg:active:not(.sample) {
    cursor: grabbing;
  }
  svg:has(.hover) {
    cursor: pointer;
  }
  svg:focus {
    outline: none;
  }
  svg:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: -2px;
  }
  svg.stale .world {
    opacity: 0.55;
  }
  .empty {
    position: absolute;
    inset: 0;
    margin: auto;
    height: fit-content;
    text-align: center;
    max-width: none;
    pointer-events: none;
  }
  .group {
    fill: var(--fused-soft);
    stroke: color-mix(in srgb, var(--fused) 60%, transparent);
    stroke-width: 1;
    vector-effect: non-scaling-stroke;
  }
  .title {
    font: 11px var(--mono);
    fill: var(--fused);
    stroke: var(--fused-soft);
    stroke-width: 4px;
    paint-order: stroke;
  }
  .edge {
    fill: none;
    stroke: var(--line-strong);
    stroke-width: 1.2;
  }
  .edge.fused {
    stroke: var(--fused);
    stroke-width: 2;
  }
  .edge.refused {
    stroke: var(--refused);
    stroke-width: 1.6;
    stroke-dasharray: 5 4;
  }
  svg[data-detail='shape'] .edge,
  svg[data-detail='mass'] .edge,
  path.op:not(.mark) {
    vector-effect: non-scaling-stroke;
    stroke-width: 0.8;
  }
  .head {
    fill: var(--line-strong);
  }
  .head.fused {
    fill: var(--fused);
  }
  .head.refused {
    fill: var(--refused);
  }
  .cross {
    fill: none;
    stroke: var(--refused);
    stroke-width: 2.2;
  }
  .op {
    fill: var(--surface);
    stroke: var(--line-strong);
    stroke-width: 1;
  }
  g.op rect {
    fill: inherit;
    stroke: inherit;
  }
  .op.source {
    fill: var(--surface-raised);
    stroke-dasharray: 3 2;
  }
  .op.view {
    stroke-dasharray: 1.5 2.5;
  }
  .op.reduce,
  .op.move,
  .op.opaque {
    fill: var(--surface-sunk);
    stroke: var(--text-quiet);
    stroke-width: 1.6;
  }
  .op.point {
    stroke: var(--fused);
  }
  .op text {
    stroke: none;
    text-anchor: middle;
    font: 12px var(--mono);
    fill: var(--text);
  }
  .op text.type {
    fill: var(--text-quiet);
  }
  .op.joined {
    fill: var(--fused-soft);
    stroke-width: 2;
  }
  .op.guess rect {
    stroke-dasharray: 6 3;
  }
  .op text.query {
    fill: var(--refused);
    font-weight: 700;
  }
  .heading {
    font: 600 13px var(--sans, sans-serif);
    fill: var(--text);
  }
  .written {
    fill: var(--text);
    stroke: none;
  }
  .mark {
    fill: none;
    stroke: var(--accent);
    stroke-width: 2.5;
    vector-effect: non-scaling-stroke;
    pointer-events: none;
  }
  .mark.group {
    stroke-width: 2;
    fill: none;
  }
  .mark.edge {
    stroke-width: 4;
    stroke-opacity: 0.55;
  }
  .mark.path {
    stroke: var(--refused);
    stroke-width: 2.5;
    stroke-dasharray: 2 3;
  }
  .hover .mark {
    stroke: var(--accent);
    stroke-width: 1.5;
    stroke-opacity: 0.8;
  }
  .foot {
    flex: none;
    display: flex;
    align-items: center;
    gap: 8px;
    height: 33px;
    padding: 0 8px 0 10px;
    border-top: 1px solid var(--line);
  }
  @container (max-width: 460px) {
    .foot {
      height: 44px;
    }
  }
  .tools {
    flex: none;
    display: flex;
    gap: 4px;
  }
  .foot .guess {
    flex: none;
    height: 24px;
  }
  .tools button {
    min-width: 26px;
    height: 24px;
  }
  .readout {
    flex: 1;
    display: flex;
    flex-wrap: wrap;
    gap: 1px 12px;
    min-width: 0;
    max-height: 100%;
    overflow: hidden;
    font-size: 11px;
    line-height: 1.5;
    color: var(--text-quiet);
    overflow-wrap: anywhere;
  }
  .readout span {
    display: inline-flex;
    align-items: center;
    gap: 5px;
  }
  .readout .mono {
    color: var(--text);
    font-size: 11px;
  }
  .sample {
    width: 20px;
    height: 12px;
  }
`;
