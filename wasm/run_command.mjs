// The command `run`: a plan's kernels executed, one line each, and the verdict.
// It must not know how kernels are held against a graph: run JSON says it all.
import { Exit, print, visible } from './terminal.mjs';

const slice = 200_000; // warp instructions between two looks at progress

/** Run JSON with its byte counts as text: they pass 2^53. */
const parse = (text) => JSON.parse(text.replace(/"(promised|measured)":(\d+)/g, '"$1":"$2"'));

/** A number with four digits that count; whole ones as they are. */
function figure(value) {
  if (value === null) return '-';
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

const place = (names, { op, element }) => `${names[op]}[${element.join(',')}]`;

/** "12/12": what was promised and what was measured; "12/-" where only some blocks ran. */
const bytes = ({ promised, measured }, { kind }) => `${promised}/${kind === 'full' ? measured : '-'}`;

function worst({ worst: found }, names) {
  if (!found) return '0';
  return `${figure(found.ulps)} of ${figure(found.bound)} ulp at ${place(names, found)}`;
}

/** What stands under a kernel's line: why it is not simply verified. */
function* remarks(kernel, names) {
  if (kernel.note) yield kernel.note;
  if (kernel.shrunk) {
    const { verdict, shapes, why_not } = kernel.shrunk;
    yield verdict === 'skipped' ? `not run at smaller sizes: ${why_not}` : `at smaller sizes (${shapes}): ${verdict}`;
  }
  for (const way of ['read', 'written']) {
    const { equal, must_be_equal, why_not } = kernel[way];
    if (kernel.kind !== 'full' || equal) continue;
    yield must_be_equal ? `bytes ${way} are not what the plan promised` : `bytes ${way} differ by design: ${why_not}`;
  }
  if (kernel.fault) {
    const { kind, message, line, block, thread } = kernel.fault;
    yield `fault[${kind}] at line ${line}, block ${block.join(',')}, thread ${thread.join(',')}: ${message}`;
  }
  if (kernel.mismatch) {
    const { what, message, line, operands, expected, got, ulps, bound } = kernel.mismatch;
    yield `mismatch[${what}]${line ? ` at line ${line}` : ''}: ${message}`;
    if (operands.length) yield `  operands: ${operands.map(({ op, value }) => `${names[op]} = ${value}`).join(', ')}`;
    if (what === 'value') yield `  expected ${expected}, got ${got}: ${figure(ulps)} ulp, bound ${figure(bound)}`;
  }
}

/** Rows with their columns as wide as the widest cell. */
function aligned(rows) {
  const shown = rows.map((row) => row.map(visible));
  const widths = shown[0].map((_, column) => shown.reduce((most, row) => Math.max(most, row[column].length), 0));
  return shown.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd());
}

function table(report, names) {
  const head = ['kernel', 'verdict', 'worst error', 'read', 'written', 'sectors/load', 'sectors/store', 'instr/element'];
  const rows = report.kernels.map((kernel) => [
    kernel.entry || kernel.name,
    kernel.verdict === 'skipped' ? kernel.kind : kernel.verdict,
    kernel.counters ? worst(kernel, names) : '-',
    kernel.counters ? bytes(kernel.read, kernel) : '-',
    kernel.counters ? bytes(kernel.written, kernel) : '-',
    figure(kernel.sectors_per_load_request),
    figure(kernel.sectors_per_store_request),
    figure(kernel.instructions_per_element),
  ]);
  const [header, ...lines] = aligned([head, ...rows]);
  return [header, ...lines.flatMap((line, i) => [line, ...[...remarks(report.kernels[i], names)].map((remark) => `    ${remark}`)])];
}

const several = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** "3 library calls (matmul 2, sort 1, of which 1 gives fresh values)". */
function libraries(kernels) {
  const calls = kernels.filter(({ kind }) => kind === 'library' || kind === 'fresh');
  if (!calls.length) return '';
  const counts = new Map();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  const fresh = calls.filter(({ kind }) => kind === 'fresh').length;
  const named = [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
  return `${several(calls.length, 'library call')} not ours (${named}${fresh ? `; ${fresh} without a reference or too large: fresh values` : ''})`;
}

function comparison({ compared, equal, why_not, tensors }) {
  if (!compared) return `fused = unfused: not compared: ${why_not}`;
  const all = equal ? `bit for bit, ${several(tensors, 'tensor')}` : 'NO';
  return `fused = unfused: ${all}${why_not ? ` (${why_not})` : ''}`;
}

function verdict(report) {
  const ours = report.kernels.filter(({ kind }) => kind === 'full' || kind === 'sampled');
  const wrong = ours.filter(({ verdict: each }) => each === 'failed' || each === 'faulted').length;
  const silent = report.kernels.filter(({ kind }) => kind === 'none').length;
  const full = ours.filter(({ verdict: each }) => each === 'verified').length;
  const held = ours.filter(({ verdict: each }) => each === 'held').length;
  const counts = [
    full && `${several(full, 'kernel')} in full`,
    held && `${held} sampled`,
    wrong && `${wrong} wrong`,
    silent && `${silent} without PTX`,
  ].filter(Boolean);
  const word = !report.passed ? 'FAILED' : report.verified ? 'verified' : ours.length ? 'held, not verified in full' : 'nothing to verify';
  return [`${word}: ${counts.join(', ') || 'no kernel of ours'}`, libraries(report.kernels)].filter(Boolean).join('; ');
}

/** Prints the table or run JSON. Ends with 3 where something that ran is wrong. */
export async function run(playground, { full = false, seed = '1', json = false }) {
  const shows = process.stderr.isTTY;
  playground.start_run({ full, seed: Number(seed) });
  while (!playground.continue_run(slice)) {
    if (!shows) continue;
    const { kernels_done, kernels_total, progress } = JSON.parse(playground.run_json());
    process.stderr.write(`\r${kernels_done} of ${kernels_total} kernels, ${Math.floor(100 * progress)} %`);
  }
  if (shows) process.stderr.write('\r\x1b[K');
  const text = playground.run_json();
  const report = parse(text);
  if (json) {
    await print(`${text}\n`);
  } else {
    const names = JSON.parse(playground.plan_json()).ops.map(({ name, id }) => name || `%${id}`);
    const lines = [...(report.kernels.length ? table(report, names) : []), comparison(report.fused_equals_unfused), verdict(report)];
    await print(`${lines.map(visible).join('\n')}\n`);
  }
  if (!report.passed) throw new Exit(3, '');
}
