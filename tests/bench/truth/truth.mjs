// Our kernels and bytes under `rows` beside those of Inductor and XLA for the same functions (../shared/truth), with
// the bytes that an H200 counted for Inductor's. It must not know how plans are made: fuseboard_compare says.
//
//   node tests/bench/truth/truth.mjs [fuseboard_compare]
//
// Kernels: launches, library calls included. Bytes: ours are the plan's distinct bytes of every launch and what it
// reads again; XLA's those of its launches' shapes; Inductor's what the H200 read from DRAM and stored for each Triton
// kernel. A library call touches its operands and result, whoever calls it: Inductor's count as ours.
// A function is within its mark where we launch no more kernels than the better of the two and, where its rows fit on
// chip, touch no more bytes than either; our kernels are also run, sampled, and must hold. Exit 1 where one is not.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { exitCode, verdict } from '../compare/verdict.mjs';
import { xlaKernels } from './xla_kernels.mjs';

const tool = process.argv[2] ?? 'build/bench/fuseboard_compare';
const truth = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/truth');
/** Registers or shared memory of a multiprocessor, and what memory moves at once. */
const kOnChip = 227 * 1024;
const kSector = 32;
/** Read several times by both compilers or by one: ours are to touch fewer bytes than that. */
const kFewer = ['softmax_dim0', 'column_reduce_siblings'];

function asked(question, file) {
  const { stdout, stderr, status } = spawnSync(tool, [question, file], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${tool} ${question}: ${stderr.slice(0, 200)}`);
  return JSON.parse(stdout);
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Of a kernel that reduces: whether what it keeps of a row, or of a sector's worth of rows, fits a multiprocessor. */
function fitsOnChip({ rows, parameters }) {
  if (!rows) return true;
  const columns = rows.domain.reduce((product, part) => product * (part.reduced ? part.extent : 1), 1);
  const bytes = Math.max(...parameters.map(({ dtype }) => Number(/\d+/.exec(dtype)?.[0] ?? 8) / 8));
  return columns * (rows.along_rows ? kSector : bytes) <= kOnChip;
}

function ourPlan(file) {
  const plan = asked('plan', file);
  const { kernels, groups } = plan;
  const touched = ({ group }) => groups[group].bytes_read + groups[group].bytes_written;
  const library = kernels.filter(({ kind }) => kind === 'library');
  return {
    kernels: kernels.length,
    bytes: sum(kernels.map((each) => touched(each) + (each.bytes_reread ?? 0) + (each.bytes_scratch ?? 0))),
    again: sum(kernels.map((each) => each.bytes_reread ?? 0)),
    libraryBytes: sum(library.map(touched)),
    names: kernels.map(({ name }) => name),
    fits: kernels.every(fitsOnChip),
    unwritten: kernels.filter(({ kind, emitted }) => kind === 'kernel' && !emitted).map(({ name }) => name),
  };
}

/** What is wrong with our kernels when they are run: [] where all hold. */
function wrongWhenRun(file) {
  const run = asked('run', file);
  if (run.passed) return [];
  const bad = run.kernels.filter(({ mismatch, fault }) => mismatch ?? fault);
  return bad.map(({ name, mismatch, fault }) => `${name}: ${(mismatch ?? fault).message}`);
}

function inductors(name, counted, libraryBytes) {
  const groups = JSON.parse(readFileSync(join(truth, 'functions', name, 'torch_groups.json'), 'utf8'));
  const own = counted.filter((row) => row.function === name && row.kernel.startsWith('triton_'));
  const bytes = own.map(
    (row) => row['dram__bytes_read.sum'] + kSector * row['l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum'],
  );
  return { kernels: groups.launches.length, bytes: sum(bytes) + libraryBytes };
}

function line(name, counted) {
  const before = join(truth, 'functions', name, 'xla_before.txt');
  if (!existsSync(before)) return 'not compared: it has no xla_before.txt';
  const own = ourPlan(before);
  const inductor = inductors(name, counted, own.libraryBytes);
  const xla = xlaKernels(readFileSync(join(truth, 'functions', name, 'xla_after.txt'), 'utf8'));
  const xlaBytes = sum(xla.map(({ bytes }) => bytes));
  const faults = [];
  if (own.kernels > Math.min(inductor.kernels, xla.length)) faults.push(`kernels: ${own.names.join(' + ')}`);
  if (own.unwritten.length > 0) faults.push(`not emitted: ${own.unwritten.join(' ')}`);
  if (own.fits && own.bytes > Math.min(inductor.bytes, xlaBytes)) faults.push('bytes');
  if (kFewer.includes(name) && own.bytes >= Math.max(inductor.bytes, xlaBytes)) faults.push('no fewer bytes');
  faults.push(...wrongWhenRun(before));
  const counts = [own.kernels, inductor.kernels, xla.length].map((each) => String(each).padStart(4)).join(' ');
  const bytes = [own.bytes, own.again, inductor.bytes, xlaBytes].map((each) => String(each).padStart(11)).join(' ');
  return `${counts}  ${bytes}  ${(own.fits ? 'yes' : 'no').padEnd(4)} ${verdict(faults)}`;
}

if (existsSync(truth)) {
  const counted = readFileSync(join(truth, 'h200_inductor_counters.jsonl'), 'utf8').trim().split('\n')
    .map((row) => JSON.parse(row));
  console.log('function               kernels         bytes   of them                             rows fit');
  console.log('                       ours Ind.  XLA         ours      again  Inductor         XLA  a chip');
  for (const name of readdirSync(join(truth, 'functions')).sort()) {
    try {
      console.log(`${name.padEnd(22)} ${line(name, counted)}`);
    } catch (error) {
      console.log(`${name.padEnd(22)} ${verdict([error.message])}`);
    }
  }
} else {
  console.log('skipped: ../shared/truth not found');
}
process.exitCode = exitCode();
