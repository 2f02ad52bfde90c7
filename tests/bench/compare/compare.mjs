// Our kernels beside what nvcc -O3 makes of the same vectorised loop (cuda/), and beside Triton's own kernels.
// It must not know how kernels are made: PTX and figures come from fuseboard_compare, nvcc and ptxas.
//
//   node tests/bench/compare/compare.mjs [fuseboard_compare]
//
// A row is within its mark where ours spills nothing, wants no more registers than the other rounded up to 8, has as
// many vector accesses in its text, and executes no more X where a row is not.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buffers, counted, found, kBytes, ours, registers, run, scratch, storedBytes, vectors, written } from './figures.mjs';
import { besideRows } from './row_kernels.mjs';
import { exitCode, verdict } from './verdict.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const functions = join(here, '../../../../shared/truth/functions');
const hardware = join(here, '../../../../shared/truth/h200_inductor_counters.jsonl');

const kElements = { f32: 'float', f16: '__half', bf16: '__nv_bfloat16' };
const kKernels = {
  bias_gelu: [16384, 1024],
  residual_relu: [16384, 1024],
  row_add: [1024, 512],
  adam: [16384, 1024],
  chain12: [16384, 1024],
};
const kModes = { fast: [], precise: ['-fmad=false'] };

const sizes = (rows, columns, element) => [`-DROWS=${rows}u`, `-DCOLUMNS=${columns}u`, `-DELEMENT=${element}`];

/** The figures of one row: registers, spills, vector accesses, instructions an element, ours and nvcc's. */
function beside(name, graph, math, target, defines, nvcc, ptxas) {
  const own = ours(graph, target, math);
  const other = join(scratch, `${name}_${target}.ptx`);
  const source = join(here, 'cuda', `${name}.cu`);
  run(nvcc, ['-O3', '-ptx', `-arch=${target}`, ...kModes[math], ...defines, source, '-o', other]);
  const [a, b] = [registers(ptxas, own.file, target), registers(ptxas, other, target)];
  const [v, w] = [vectors(own.text), vectors(readFileSync(other, 'utf8'))];
  const launch = [own.grid[0], own.block[0], buffers(own), storedBytes(own)];
  const [x, y] = [counted(own.file, own.entry, ...launch), counted(other, name, ...launch)];
  const faults = [];
  if (a.spilled > 0) faults.push('spills');
  if (a.used > Math.ceil(b.used / 8) * 8) faults.push('registers');
  if (v !== w) faults.push('vector accesses');
  if (x.instructions > y.instructions) faults.push('instructions');
  const counts = [a.used, b.used, a.spilled, b.spilled, v, w].map((each) => String(each).padStart(5)).join(' ');
  const costs = [x, y].map(({ instructions }) => instructions.toFixed(2).padStart(9)).join(' ');
  return `${counts} ${costs}  ${verdict(faults)}`;
}

function besideNvcc(nvcc, ptxas) {
  console.log('kernel         dtype math     target   registers    spilled     vectors  instructions/element');
  console.log('                                        ours  nvcc  ours  nvcc  ours  nvcc      ours      nvcc');
  for (const [name, [rows, columns]] of Object.entries(kKernels)) {
    for (const [dtype, element] of Object.entries(kElements)) {
      const graph = readFileSync(join(here, 'cuda', `${name}.json`), 'utf8')
        .replaceAll('ROWS', rows)
        .replaceAll('COLUMNS', columns)
        .replaceAll('"f32"', `"${dtype}"`);
      const file = written(`${name}.json`, graph);
      for (const math of Object.keys(kModes)) {
        for (const target of ['sm_90', 'sm_80']) {
          const title = `${name.padEnd(14)} ${dtype.padEnd(5)} ${math.padEnd(8)} ${target}`;
          try {
            console.log(`${title}  ${beside(name, file, math, target, sizes(rows, columns, element), nvcc, ptxas)}`);
          } catch (error) {
            console.log(`${title}  ${verdict([error.message])}`);
          }
        }
      }
    }
  }
}

/** Buffers of Triton's kernels, in the order of their parameters. */
const kTriton = {
  bias_gelu: { inputs: [['bf16', 8192 * 4096], ['bf16', 4096]], outputs: ['bf16'], elements: 8192 * 4096 },
  residual_relu_scale: { inputs: [['f32', 1 << 24], ['f32', 1 << 24]], outputs: ['f32'], elements: 1 << 24 },
  chain12: { inputs: Array(3).fill(['f32', 1 << 24]), outputs: ['f32'], elements: 1 << 24 },
  adam: { inputs: Array(4).fill(['f32', 1 << 24]), outputs: ['f32', 'f32', 'f32'], elements: 1 << 24 },
  broadcast_mix: {
    inputs: [['f32', 8192 * 512], ['f32', 8192], ['f32', 512]],
    outputs: ['f32'],
    elements: 8192 * 512,
  },
};

function tritonsOwn(name) {
  const { inputs, outputs, elements } = kTriton[name];
  const code = readFileSync(join(functions, name, 'torch_output_code.txt'), 'utf8');
  const entry = /def (triton_poi_\w+)\(/.exec(code)[1];
  const file = join(functions, name, `${entry}.ptx`);
  const text = readFileSync(file, 'utf8');
  const block = Number(/\.reqntid (\d+)/.exec(text)[1]);
  const [, id] = /mov\.u32\s+(%r\d+), %ctaid\.x/.exec(text);
  const perBlock = 1 << Number(new RegExp(`shl\\.b32\\s+%r\\d+, ${id}, (\\d+);`).exec(text)[1]);
  const parameters = [
    ...inputs.map(([dtype, count]) => `${dtype}:${count}`),
    ...outputs.map((dtype) => `out:${elements * kBytes[dtype]}`),
    `u32:${elements}`,
    'null',
    'null',
  ];
  const stored = outputs.reduce((sum, dtype) => sum + kBytes[dtype], 0);
  return counted(file, entry, elements / perBlock, block, parameters, stored);
}

function besideTriton() {
  console.log('\nfunction             instr./element    sectors/element    sectors/load    bytes read');
  console.log('                         ours   Triton      ours   Triton     ours  Triton     promised        H200');
  const measured = new Map(
    readFileSync(hardware, 'utf8').trim().split('\n').map((line) => JSON.parse(line)).map((row) => [row.function, row]),
  );
  for (const name of Object.keys(kTriton)) {
    try {
      console.log(`${name.padEnd(20)} ${besideOne(name, measured.get(name)['dram__bytes_read.sum'])}`);
    } catch (error) {
      console.log(`${name.padEnd(20)} ${verdict([error.message])}`);
    }
  }
}

function besideOne(name, read) {
  const own = ours(join(functions, name, 'xla_before.txt'), 'sm_90', 'fast');
  const x = counted(own.file, own.entry, own.grid[0], own.block[0], buffers(own), storedBytes(own));
  const y = tritonsOwn(name);
  const inputs = own.parameters.filter(({ role }) => role === 'input');
  const promised = inputs.reduce((sum, { dtype, elements }) => sum + elements * kBytes[dtype], 0);
  const faults = [];
  if (x.instructions > y.instructions) faults.push('instructions');
  if (x.sectors > y.sectors) faults.push('sectors');
  if (Math.abs(promised - read) > read / 100) faults.push('bytes');
  const costs = [x.instructions, y.instructions].map((each) => each.toFixed(2).padStart(8)).join(' ');
  const sectors = [x.sectors, y.sectors].map((each) => each.toFixed(4).padStart(8)).join(' ');
  const requests = [x.perRequest, y.perRequest].map((each) => each.toFixed(2).padStart(7)).join(' ');
  const bytes = [promised, read].map((each) => String(each).padStart(11)).join(' ');
  return `${costs}  ${sectors}  ${requests}  ${bytes}  ${verdict(faults)}`;
}

const [nvcc, ptxas] = [found('nvcc'), found('ptxas')];
if (nvcc && ptxas) {
  besideNvcc(nvcc, ptxas);
  besideRows(nvcc, ptxas);
} else {
  console.log('skipped: nvcc and ptxas not found: nothing stands beside nvcc');
}
if (existsSync(functions)) {
  besideTriton();
} else {
  console.log('skipped: ../shared/truth not found: nothing stands beside Triton');
}
process.exitCode = exitCode();
