// What <fuse-graph> draws of a scene: the part in a window at a level of detail, and the marks of the selection.
// It must not know pointers, keys or the store.
import { nothing, svg, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { boxOf, groupTitles, writtenOps } from '../box.js';
import { plural } from '../figures.js';
import { edgeLooks, rectPath, type Scene } from '../scene.js';
import type { Marked } from '../selection.js';
import type { Rect } from '../viewport.js';
import { visibleText } from '../visible-text.js';

/** `text`: ops with their labels. `shape`: ops as boxes. `mass`: groups as boxes, and only the edges between them. */
export type Detail = 'text' | 'shape' | 'mass';

export function detailAt(scale: number): Detail {
  return scale >= 0.5 ? 'text' : scale >= 0.12 ? 'shape' : 'mass';
}

/** Width of a character of the labels' font, on which the core's boxes are sized. */
const CHARACTER = 7.2;
const TITLE_CHARACTER = 6.7;
const MOST_MARKED = 2000;

function fitted(text: string, width: number): string {
  const most = Math.max(1, Math.floor(width / CHARACTER));
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

export function drawScene(scene: Scene, window: Rect, detail: Detail): TemplateResult {
  const ops = scene.opsIn(window);
  const groups = scene.groupsIn(window).map((group) => ({ group, rect: scene.groupRect(group) }));
  return svg`
    <path class="group" d=${groups.map(({ rect }) => (rect ? rectPath(rect) : '')).join('')}></path>
    ${drawEdges(scene, scene.edgesIn(window), detail)}
    ${
      detail === 'text'
        ? repeat(groups, ({ group }) => group, ({ group, rect }) => (rect ? groupTitle(scene, group, rect) : nothing))
        : nothing
    }
    ${detail === 'text' ? drawOps(scene, ops) : drawBoxes(scene, detail === 'mass' ? ops.filter((op) => !isBoxed(scene, op)) : ops)}
    ${detail === 'mass' ? nothing : drawWritten(scene, ops)}
    ${detail === 'mass' ? nothing : drawHeadings(scene)}
  `;
}

function groupTitle(scene: Scene, id: number, rect: Rect): TemplateResult {
  const width = rect.right - rect.left - 16;
  const text = groupTitles(scene.index, id).find((one) => one.length * TITLE_CHARACTER <= width) ?? '';
  return svg`<text class="title" x=${rect.left + 8} y=${rect.top + 15}>${text}</text>`;
}

function drawEdges(scene: Scene, edges: number[], detail: Detail): TemplateResult[] {
  return edgeLooks.map((look) => {
    const these = edges.filter((edge) => scene.edgeLook(edge) === look && (detail !== 'mass' || look !== 'fused'));
    const lines = these.map((edge) => scene.edgePath(edge, detail !== 'mass')).join('');
    const heads = detail === 'text' ? these.map((edge) => scene.headPath(edge)).join('') : '';
    const crosses = detail === 'text' && look === 'refused' ? these.map((edge) => cross(scene, edge)).join('') : '';
    return svg`<path class="edge ${look}" d=${lines}></path>
      <path class="head ${look}" d=${heads}></path>
      <path class="cross" d=${crosses}></path>`;
  });
}

function cross(scene: Scene, edge: number): string {
  const [x, y] = scene.middle(edge).map((value) => Math.round(value * 10) / 10) as [number, number];
  return `M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x - 4} ${y + 4}L${x + 4} ${y - 4}`;
}

function drawOps(scene: Scene, ops: number[]): unknown {
  return repeat(ops, (op) => op, (id) => {
    const op = scene.index.op(id);
    const { look, detail } = boxOf(scene.index, id);
    const { left, top, right, bottom } = scene.opRect(id);
    const width = right - left;
    const height = bottom - top;
    const middle = left + width / 2;
    return svg`<g class="op ${look}" data-op=${id}>
      <rect x=${left} y=${top} width=${width} height=${height} rx=${look === 'source' ? height / 2 : 3}></rect>
      <text class="name" x=${middle} y=${top + height * 0.43}>${fitted(visibleText(op.name.slice(0, 200)), width - 12)}</text>
      <text class="type" x=${middle} y=${top + height * 0.8}>${fitted(visibleText(detail), width - 12)}</text>
      ${look.includes('guess') ? svg`<text class="query" x=${right - 7} y=${top + 12}>?</text>` : nothing}
    </g>`;
  });
}

function drawBoxes(scene: Scene, ops: number[]): TemplateResult[] {
  const byClass = new Map<string, string[]>();
  for (const op of ops) {
    const { look: of } = boxOf(scene.index, op);
    const paths = byClass.get(of);
    if (paths) paths.push(rectPath(scene.opRect(op)));
    else byClass.set(of, [rectPath(scene.opRect(op))]);
  }
  return [...byClass].map(([of, paths]) => svg`<path class="op ${of}" d=${paths.join('')}></path>`);
}

function isBoxed(scene: Scene, op: number): boolean {
  const { group } = scene.index.op(op);
  return group !== null && scene.groupRect(group) !== undefined;
}

/** A bar under each op whose value is written to memory. */
function drawWritten(scene: Scene, ops: number[]): TemplateResult {
  const written = writtenOps(scene.index, ops);
  const bars = ops
    .filter((op) => written.has(op))
    .map((op) => {
      const { left, right, bottom } = scene.opRect(op);
      return rectPath({ left: left + 4, right: right - 4, top: bottom - 1, bottom: bottom + 2 });
    });
  return svg`<path class="written" d=${bars.join('')}></path>`;
}

/** Over a graph and its rewritten form side by side: which is which. */
function drawHeadings({ index, lefts }: Scene): TemplateResult | typeof nothing {
  if (index.of === 'ops' || !index.plan.rewritten) return nothing;
  const { totals, rewritten } = index.plan;
  const heading = (name: string, launches: number, at: number) =>
    svg`<text class="heading" x=${at} y="15">${name}: ${plural(launches, 'launch', 'launches')}</text>`;
  return svg`
    ${heading('as given', totals.launches, lefts.given)}
    ${heading('rewritten', rewritten.totals.launches, lefts.rewritten)}
  `;
}

/** Outlines over the drawing: what is selected, the path in a merge's way, what the pointer is on. */
export function drawMarks(scene: Scene, marked: Marked): TemplateResult {
  const outline = (ops: Iterable<number>, by: number) =>
    [...ops]
      .slice(0, MOST_MARKED)
      .map((op) => {
        const { left, top, right, bottom } = scene.opRect(op);
        return rectPath({ left: left - by, top: top - by, right: right + by, bottom: bottom + by });
      })
      .join('');
  const groups = [...marked.groups].map((group) => scene.groupRect(group)).filter((rect) => rect !== undefined);
  const edges = [...marked.edges];
  return svg`
    <path class="mark group" d=${groups.map(rectPath).join('')}></path>
    <path class="mark path" d=${pathEdges(scene, marked.path)}></path>
    <path class="mark edge" d=${edges.map((edge) => scene.edgePath(edge, true)).join('')}></path>
    <path class="mark path" d=${outline(marked.path, 6)}></path>
    <path class="mark op" d=${outline(marked.ops, 2)}></path>
  `;
}

/** The edges between neighbours on a path. */
function pathEdges(scene: Scene, path: readonly number[]): string {
  return path
    .slice(1)
    .map((op, at) => scene.index.edgeBetween(path[at] ?? op, op))
    .map((edge) => (edge === undefined ? '' : scene.edgePath(edge, true)))
    .join('');
}
