// Softmax and LayerNorm in one kernel each beside CUDA of our own for the same shapes (cuda/softmax.cu,
// cuda/layer_norm.cu) through nvcc -O3. It must not know how kernels are made.
//
// A row is within its mark where ours spills nothing, wants no more registers than the other rounded up to 8, executes
// at most 1.05 times as many instructions an element (of the PTX, by the interpreter; and of ptxas's code, where
// neither has a loop), waits at no more barriers, and neither touches nor requests more bytes. Everything but registers
// and ptxas's code is counted over the whole launch.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buffers, kBytes, launched, ours, registers, run, sassLength, scratch, written } from './figures.mjs';
import { verdict } from './verdict.mjs';

const cuda = join(dirname(fileURLToPath(import.meta.url)), 'cuda');
const kTarget = 'sm_90';
const kMostInstructions = 1.05;
const kElements = { f32: 'float', f16: '__half' };
const kNames = ['softmax', 'layer_norm'];
const kSizes = [
  [4096, 128],
  [4096, 512],
  [4096, 4096],
  [128, 32768],
];

/** Ours has its launch from the plan; that of cuda/ is as rows.cuh has it. */
function theirLaunch(rows, columns, dtype) {
  const packs = (columns * kBytes[dtype]) / 16;
  const threads = columns <= 1024 ? Math.min(packs, 32) : columns / 32;
  const block = Math.max(threads, 128);
  return [(rows * threads) / block, block];
}

function figures(file, entry, grid, block, parameters, elements, ptxas) {
  const { used, spilled } = registers(ptxas, file, kTarget);
  const length = sassLength(entry);
  const counters = launched(file, entry, grid, block, 0, parameters);
  return {
    used,
    spilled,
    ptx: counters.thread_instructions / elements,
    sass: length === undefined ? undefined : (length * grid * block) / elements,
    barriers: counters.barriers / grid,
    distinct: counters.distinct_read + counters.distinct_written,
    requested: counters.load_bytes + counters.store_bytes,
  };
}

function faultsOf(a, b) {
  const faults = [];
  if (a.spilled > 0) faults.push('spills');
  if (a.used > Math.ceil(b.used / 8) * 8) faults.push('registers');
  if (a.ptx > kMostInstructions * b.ptx) faults.push('PTX instructions');
  if (a.sass > kMostInstructions * b.sass) faults.push('SASS instructions');
  if (a.barriers > b.barriers) faults.push('barriers');
  if (a.distinct > b.distinct) faults.push('distinct bytes');
  if (a.requested > b.requested) faults.push('requested bytes');
  return faults;
}

function beside(name, [rows, columns], dtype, nvcc, ptxas) {
  const graph = readFileSync(join(cuda, `${name}.json`), 'utf8')
    .replaceAll('ROWS', rows)
    .replaceAll('COLUMNS', columns)
    .replaceAll('"f32"', `"${dtype}"`);
  const own = ours(written(`${name}.json`, graph), kTarget, 'fast');
  const sizes = [`-DROWS=${rows}u`, `-DCOLUMNS=${columns}u`, `-DELEMENT=${kElements[dtype]}`];
  const other = join(scratch, `${name}.ptx`);
  run(nvcc, ['-O3', '-ptx', `-arch=${kTarget}`, ...sizes, join(cuda, `${name}.cu`), '-o', other]);
  const parameters = buffers(own);
  const elements = rows * columns;
  const a = figures(own.file, own.entry, own.grid[0], own.block[0], parameters, elements, ptxas);
  const b = figures(other, name, ...theirLaunch(rows, columns, dtype), parameters, elements, ptxas);
  const decimals = (value) => (value === undefined ? 'loops' : value.toFixed(2));
  const shown = [
    [a.used, b.used],
    [decimals(a.ptx), decimals(b.ptx)],
    [decimals(a.sass), decimals(b.sass)],
    [a.barriers, b.barriers],
  ].map((pair) => pair.map((each) => String(each).padStart(5)).join(' '));
  const bytes = [a.distinct, b.distinct, a.requested, b.requested].map((each) => String(each).padStart(9));
  return `${shown.join('   ')}   ${bytes.join(' ')}  ${verdict(faultsOf(a, b))}`;
}

export function besideRows(nvcc, ptxas) {
  console.log('\nkernel that reduces          registers   PTX/element   SASS/elem.    barriers   distinct bytes      requested bytes');
  console.log('                              ours  nvcc    ours  nvcc    ours  nvcc    ours  nvcc        ours      nvcc      ours      nvcc');
  for (const name of kNames) {
    for (const size of kSizes) {
      for (const dtype of Object.keys(kElements)) {
        const title = `${name.padEnd(10)} ${`[${size}]`.padEnd(11)} ${dtype}`;
        try {
          console.log(`${title}  ${beside(name, size, dtype, nvcc, ptxas)}`);
        } catch (error) {
          console.log(`${title}  ${verdict([error.message])}`);
        }
      }
    }
  }
}
