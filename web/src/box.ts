// What stands in the box of an op or a node, and over that of a group.
// It must not know how boxes are drawn.
import { bytesText, plural, sum, typeText } from './figures.js';
import type { LaunchOp } from './kernel-plan-index.js';
import { detailText } from './launch-words.js';
import type { AnyIndex } from './plan-index.js';

export interface Box {
  /** Classes of the drawing; the first tells the outline. */
  look: string;
  detail: string;
}

export function boxOf(index: AnyIndex, id: number): Box {
  if (index.of === 'launches') return { look: launchLook(index.op(id)), detail: detailText(index.op(id)) };
  const op = index.op(id);
  return { look: op.class, detail: `${op.kind.slice(0, 200)} ${typeText(op)}` };
}

/** A node looks like the ops of its role: what joins others, what moves bytes, what only waits. */
function launchLook(op: LaunchOp): string {
  switch (op.kind) {
    case 'kernel_launch': {
      const role = op.fusible ? 'point' : 'opaque';
      if (op.is === 'rewritten') return op.members.length > 1 ? `${role} joined` : role;
      return op.fusible_is_guess ? `${role} guess` : role;
    }
    case 'memcpy':
    case 'memset':
      return 'move';
    default:
      return 'source';
  }
}

/** The title of a group, the longest form first. */
export function groupTitles(index: AnyIndex, id: number): string[] {
  if (index.of === 'launches') {
    const { members, pattern } = index.group(id);
    const name = `group ${id} · ${pattern}`;
    return [`${name} · ${plural(members.length, 'launch', 'launches')} as one`, name, `group ${id}`];
  }
  const { members, bytes_read, bytes_written, pattern } = index.group(id);
  const bytes = `moves ${bytesText(sum(bytes_read, bytes_written))}`;
  const name = pattern ? `group ${id} · ${pattern}` : `group ${id}`;
  return [`${name} · ${plural(members.length, 'op')} · ${bytes}`, `${name} · ${bytes}`, name, `group ${id}`];
}

/** Which of these ops write their value to memory. */
export function writtenOps(index: AnyIndex, ops: number[]): Set<number> {
  const written = new Set<number>();
  if (index.of === 'launches') return written;
  for (const group of new Set(ops.map((op) => index.op(op).group)))
    for (const { op } of index.group(group).materialized) if (index.op(op).class !== 'source') written.add(op);
  return written;
}
