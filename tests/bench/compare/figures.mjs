// Figures of one kernel, whoever wrote it: its PTX, what ptxas makes of it, what a launch of it costs.
// It must not know which kernels stand beside one another. PTX and costs of ours come from fuseboard_compare.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tool = process.argv[2] ?? 'build/bench/fuseboard_compare';
const kSampledBlocks = 32;
export const kBytes = { f64: 8, f32: 4, f16: 2, bf16: 2 };
export const scratch = mkdtempSync(join(tmpdir(), 'fuseboard-compare-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

export function found(command) {
  const inCuda = join('/usr/local/cuda/bin', command);
  const path = existsSync(inCuda) ? inCuda : command;
  return spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0 ? path : undefined;
}

export function run(command, args) {
  const { stdout, stderr, status, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error ?? status) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout + stderr;
}

export function written(name, text) {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}

/** The one kernel of a graph: launch, parameters and the file of its PTX. */
export function ours(file, target, math) {
  const { kernels, ptx } = JSON.parse(run(tool, ['emit', file, target, math]));
  const said = kernels.flatMap(({ diagnostics }) => diagnostics).map(({ message }) => message);
  if (kernels.length !== 1) throw new Error(`${kernels.length} kernels where one is compared`);
  if (!kernels[0].emitted) throw new Error(said.join('; ') || 'not emitted');
  return { ...kernels[0], text: ptx[0], file: written(`ours_${target}_${math}.ptx`, ptx[0]) };
}

export function registers(ptxas, file, target) {
  const said = run(ptxas, ['-v', `-arch=${target}`, file, '-o', join(scratch, 'out.cubin')]);
  const spilled = [...said.matchAll(/(\d+) bytes spill/g)].reduce((sum, match) => sum + Number(match[1]), 0);
  return { used: Number(/Used (\d+) registers/.exec(said)[1]), spilled };
}

export const vectors = (text) => (text.match(/\b(ld|st)\.global\S*\.v[24]\b/g) ?? []).length;

/** SASS opcodes, the low 12 bits of an instruction's 16 bytes (Volta and later). */
const kBranch = 0x947;
const kExit = 0x94d;

/**
 * Instructions that a thread executes from the entry to its exit, where there is no loop before it: the machine code
 * that ptxas left in out.cubin, read from the ELF's section. Undefined where there is one.
 */
export function sassLength(entry) {
  const file = readFileSync(join(scratch, 'out.cubin'));
  const [table, size, count, names] = [Number(file.readBigUInt64LE(40)), 58, 60, 62].map((at, i) =>
    i === 0 ? at : file.readUInt16LE(at),
  );
  const section = (index) => {
    const at = table + index * size;
    const [offset, bytes] = [24, 32].map((behind) => Number(file.readBigUInt64LE(at + behind)));
    return { name: file.readUInt32LE(at), offset, bytes };
  };
  const strings = section(names).offset;
  for (let i = 0; i < count; ++i) {
    const { name, offset, bytes } = section(i);
    const begin = strings + name;
    if (file.toString('latin1', begin, file.indexOf(0, begin)) !== `.text.${entry}`) continue;
    for (let at = 0; at < bytes; at += 16) {
      const low = file.readUInt32LE(offset + at);
      const goesBack = (file.readUInt32LE(offset + at + 8) & 0x20000) !== 0;
      if ((low & 0xfff) === kBranch && goesBack) return undefined;
      const isAlways = ((low >> 12) & 0xf) === 7;
      if ((low & 0xfff) === kExit && isAlways) return at / 16 + 1;
    }
  }
  return undefined;
}

/** What `blocks` blocks of a launch did (0: all of them). */
export function launched(file, entry, grid, block, blocks, parameters) {
  return JSON.parse(run(tool, ['count', file, entry, grid, block, blocks, ...parameters].map(String)));
}

/** Per element of the output: instructions of threads, sectors; and sectors of a request. */
export function counted(file, entry, grid, block, parameters, bytesPerElement) {
  const counters = launched(file, entry, grid, block, kSampledBlocks, parameters);
  const elements = counters.store_bytes / bytesPerElement;
  return {
    instructions: counters.thread_instructions / elements,
    sectors: (counters.load_sectors + counters.store_sectors) / elements,
    perRequest: counters.load_sectors / counters.load_requests,
  };
}

export const storedBytes = (kernel) =>
  kernel.parameters.reduce((sum, each) => sum + (each.role === 'output' ? kBytes[each.dtype] : 0), 0);

export const buffers = (kernel) =>
  kernel.parameters.map(({ role, dtype, elements }) =>
    role === 'output' ? `out:${elements * kBytes[dtype]}` : `${dtype}:${elements}`,
  );
