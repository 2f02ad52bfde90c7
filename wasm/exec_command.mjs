// The command `exec`: one launch of any PTX module, its parameters from the command line.
// It must not know PTX: the core reads and runs it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Exit, complain, print, unreadable, usage } from './terminal.mjs';

export const exec_options = {
  entry: { type: 'string' },
  grid: { type: 'string' },
  block: { type: 'string' },
  param: { type: 'string', multiple: true },
  shared: { type: 'string' },
  steps: { type: 'string' },
  print: { type: 'string' },
};

const slice = 500_000; // warp instructions at once

function whole(text, name) {
  if (!/^\d{1,15}$/.test(text)) throw usage(`--${name} is a whole number.`);
  return Number(text);
}

function three(text, name) {
  const numbers = text.split(',');
  if (numbers.length > 3 || !numbers.every((each) => /^[1-9]\d{0,9}$/.test(each))) {
    throw usage(`--${name} is x, x,y or x,y,z, each at least 1.`);
  }
  return numbers.map(Number);
}

/** "f32:1.5", "f32[1024]", "f32[1024]=iota", "f32[1024]=@FILE" as a parameter of a scratch request. */
function parameter(spec) {
  const scalar = /^(\w+):(.+)$/.exec(spec);
  if (scalar) return { dtype: scalar[1], value: scalar[2] };
  const buffer = /^(\w+)\[(\d{1,15})\](?:=(.+))?$/.exec(spec);
  if (!buffer) throw usage(`--param ${spec}: a scalar is like f32:1.5, a buffer like f32[1024] or f32[1024]=zeros.`);
  const [, dtype, count, fill = 'random'] = buffer;
  const file = fill.startsWith('@') ? fill.slice(1) : undefined;
  return { dtype, count: Number(count), fill: file === undefined ? fill : 'none', file };
}

/** A module's text as it came, decoded as UTF-8. */
const decode = (bytes) => new TextDecoder().decode(bytes);

async function write_buffers(scratch, buffers, directory) {
  await mkdir(directory, { recursive: true });
  for (const { parameter: index, name } of buffers) {
    await writeFile(join(directory, `${index}-${name || 'buffer'}.bin`), scratch.read(index));
  }
}

function summary({ state, blocks_finished, blocks, steps, counters }) {
  const lines = [`${state}: ${blocks_finished} of ${blocks} blocks, ${steps} warp instructions`];
  if (!counters) return lines;
  const { by_class, ...rest } = counters;
  const used = (object) => Object.entries(object).filter(([, count]) => count).map(([name, count]) => `${name} ${count}`);
  lines.push(`  ${used(rest).join(', ')}`, `  by class: ${used(by_class).join(', ')}`);
  return lines;
}

function listing({ parameter: index, name, dtype, count, values, bytes_read, bytes_written }, shown) {
  const more = count > shown ? ' ...' : '';
  return `${index} ${name} ${dtype}[${count}] read ${bytes_read} B, written ${bytes_written} B: ${values.slice(0, shown).join(' ')}${more}`;
}

/** Launches, prints, writes. Ends with 3 on a fault, with 1 where the module or the launch is wrong. */
export async function exec(core, ptx, file, values) {
  const parameters = (values.param ?? []).map(parameter);
  const request = {
    ptx: decode(ptx),
    entry: values.entry,
    grid: three(values.grid ?? '1', 'grid'),
    block: three(values.block ?? '1', 'block'),
    shared_bytes: whole(values.shared ?? '0', 'shared'),
    seed: whole(values.seed ?? '1', 'seed'),
    most_steps: whole(values.steps ?? '1000000000', 'steps'),
    parameters: parameters.map((each) => ({ ...each, file: undefined })),
  };
  const shown = whole(values.print ?? '8', 'print');
  const scratch = core.scratch(JSON.stringify(request));
  for (const [index, { file: bytes }] of parameters.entries()) {
    if (bytes === undefined) continue;
    scratch.write(
      index,
      await readFile(bytes).catch((error) => {
        throw unreadable(bytes, error);
      }),
    );
  }
  while (!scratch.continue(slice)); // its own steps end it
  const text = scratch.json();
  const result = JSON.parse(text);
  complain(file, result.diagnostics.map((each) => (each.code === 'bad-option' ? { ...each, line: 0 } : each)));
  if (values.json) await print(`${text}\n`);
  if (result.state === 'failed') throw new Exit(1, '');
  if (!values.json) {
    await print(`${[...summary(result), ...result.buffers.map((each) => listing(each, shown))].join('\n')}\n`);
  }
  if (values.out !== undefined) await write_buffers(scratch, result.buffers, values.out);
  if (!result.fault) return;
  const { kind, message, line, block, thread, address } = result.fault;
  const where = `block ${block.join(',')}, thread ${thread.join(',')}${address ? `, address ${address}` : ''}`;
  throw new Exit(3, `${file === '-' ? '<stdin>' : file}:${line}: fault[${kind}]: ${message} (${where})`);
}
