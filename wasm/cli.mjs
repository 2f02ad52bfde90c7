#!/usr/bin/env node
// The command: plan, ptx, run, dot and ops of a graph in a file or on standard input; exec of a PTX module.
// It must not know plans or formats: the core's texts go out as they are, since JavaScript would round byte counts.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exec, exec_options } from './exec_command.mjs';
import { load } from './index.mjs';
import { run } from './run_command.mjs';
import { Exit, chunks, complain, print, read, unreadable, usage } from './terminal.mjs';

const help = `fuseboard: which ops of a graph run as one GPU kernel, at what cost, and their PTX.

  fuseboard plan FILE|- [--no-broadcast] [--policy rows|regions|elementwise] [--entry operands|dominated]
                                           plan JSON, of a kernel graph kernel plan JSON: its regions, and the rewritten
                                           graph; --entry: whether values beside a region's root may enter it;
                                           --turned FUNCTION, any number: its guessed fusible flag is the other way
  fuseboard plan --jsonl FILE|-            each line is {"broadcast": bool, "graph": {...}}; each answer line is
                                           {"plan": {...}} or {"error": "<code>"}; a graph with "nodes" is a kernel
                                           graph: {"entry": "dominated"|"operands", "graph": {...}} answers
                                           {"plan": {...}, "rewritten": {...}}
  fuseboard ptx FILE|- [--target sm_90] [--math fast|precise] [--unfused] [--no-broadcast] [--out DIR]
                                           a .ptx file for each kernel and kernels.json into DIR;
                                           without --out the PTX of all kernels
  fuseboard run FILE|- [--full] [--seed N] [--json] [--target sm_90] [--math fast|precise] [--unfused]
                       [--no-broadcast]    executes the kernels' PTX over seeded values and holds every op against its
                                           reference: a line a kernel, or run JSON; --full: also kernels of many
                                           elements in full, which are sampled otherwise
  fuseboard exec FILE.ptx|- [--entry NAME] [--grid x,y,z] [--block x,y,z] [--param SPEC]... [--shared BYTES]
                       [--seed N] [--steps N] [--print N] [--out DIR] [--json]
                                           launches an entry of any PTX module. SPEC, one a parameter in order:
                                           f32:1.5 u64:7 a scalar (f32:0x3fc00000 its bits); f32[1024] a buffer of
                                           seeded values, f32[1024]=zeros =iota =none =3 =@FILE otherwise filled
                                           (none: never written; @FILE: raw bytes). --print N: so many values of each
                                           buffer; --out DIR: its bytes into DIR; --steps N: warp instructions at most
  fuseboard dot FILE|- [--no-broadcast]    Graphviz DOT of the graph and its groups
  fuseboard ops                            the op table as JSON
  fuseboard --help | --version

FILE holds a graph in any format that Fuseboard reads; - is standard input. --policy stands with ptx, run and dot too:
rows unless given; --jsonl plans by elementwise unless it is given, and --entry there stands before each line's own.
Exit status: 0 fine; 1 the input is wrong, each diagnostic on standard error as file:line:column: error[code]: message, columns in bytes from 1; 2 usage;
3 a kernel that was run is wrong or at fault.
`;

const options = {
  'no-broadcast': { type: 'boolean' },
  jsonl: { type: 'boolean' },
  target: { type: 'string' },
  math: { type: 'string' },
  policy: { type: 'string' },
  turned: { type: 'string', multiple: true },
  unfused: { type: 'boolean' },
  out: { type: 'string' },
  full: { type: 'boolean' },
  seed: { type: 'string' },
  json: { type: 'boolean' },
  ...exec_options,
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
};

/** What each command takes besides FILE. */
const commands = {
  plan: ['no-broadcast', 'policy', 'entry', 'turned', 'jsonl'],
  ptx: ['no-broadcast', 'policy', 'target', 'math', 'unfused', 'out'],
  run: ['no-broadcast', 'policy', 'target', 'math', 'unfused', 'full', 'seed', 'json'],
  exec: ['out', 'seed', 'json', ...Object.keys(exec_options)],
  dot: ['no-broadcast', 'policy', 'entry', 'turned'],
  ops: [],
};

/** The lines of a file as bytes, an array for each chunk read; a last line may lack its newline. */
async function* batches_of_lines(file) {
  let rest = []; // the pieces of a line that is not complete yet
  try {
    for await (const chunk of chunks(file)) {
      const lines = [];
      let from = 0;
      for (let to; (to = chunk.indexOf(10, from)) >= 0; from = to + 1) {
        lines.push(Buffer.concat([...rest, chunk.subarray(from, to)]));
        rest = [];
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
      yield lines;
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  if (rest.length) yield [Buffer.concat(rest)];
}

async function plan_lines(core, file, options) {
  for await (const lines of batches_of_lines(file)) {
    const answers = lines.map((line) => `${core.plan_jsonl_line(line, options)}\n`);
    if (answers.length) await print(answers.join(''));
  }
}

async function write_kernels(playground, directory) {
  const text = playground.kernels_json();
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'kernels.json'), text.endsWith('\n') ? text : `${text}\n`);
  for (const [index, { file }] of JSON.parse(text).entries()) {
    const ptx = playground.kernel_ptx(index);
    if (ptx && file) await writeFile(join(directory, file), ptx);
  }
}

async function print_kernels(playground) {
  for (let index = 0; index < playground.kernel_count(); ++index) {
    const ptx = playground.kernel_ptx(index);
    if (ptx) await print(`${ptx}\n`);
  }
}

function parse(argv) {
  let values, positionals;
  try {
    ({ values, positionals } = parseArgs({ args: argv, options, allowPositionals: true }));
  } catch (error) {
    throw usage(error.message);
  }
  if (values.help || values.version) return { values };
  const [command, ...files] = positionals;
  if (!command) throw usage('A command is wanted: plan, ptx, run, exec, dot or ops.');
  if (!Object.hasOwn(commands, command)) throw usage(`${command} is no command; plan, ptx, run, exec, dot and ops are.`);
  for (const name of Object.keys(values)) {
    if (!commands[command].includes(name)) throw usage(`${command} takes no --${name}.`);
  }
  const wanted = command === 'ops' ? 0 : 1;
  if (files.length !== wanted) throw usage(wanted ? `${command} takes one FILE, or - for standard input.` : `${command} takes no FILE.`);
  return { values, command, file: files[0] };
}

async function main(argv) {
  const { values, command, file } = parse(argv);
  if (values.help) return print(help);
  const core = await load();
  const about = JSON.parse(core.about_json());
  if (values.version) return print(`fuseboard ${about.version}\n`);
  if (command === 'ops') return print(`${core.ops_json()}\n`);
  if (values.target && !about.targets.includes(values.target)) {
    throw usage(`${values.target} is no target; these are: ${about.targets.join(' ')}.`);
  }
  if (values.math && !['fast', 'precise'].includes(values.math)) throw usage('--math is fast or precise.');
  if (values.policy && !['rows', 'regions', 'elementwise'].includes(values.policy)) {
    throw usage('--policy is rows, regions or elementwise.');
  }
  if (values.jsonl && values['no-broadcast']) throw usage('With --jsonl each line says "broadcast" itself.');
  if (values.jsonl && values.turned) throw usage('With --jsonl each line says "fusible" itself.');
  if (command !== 'exec' && values.entry && !['operands', 'dominated'].includes(values.entry)) {
    throw usage('--entry is operands or dominated.');
  }
  if (values.seed !== undefined && !/^\d{1,15}$/.test(values.seed)) throw usage('--seed is a whole number.');
  if (values.jsonl) return plan_lines(core, file, { policy: values.policy, entry: values.entry });
  if (command === 'exec') return exec(core, await read(file), file, values);

  const playground = core.open(await read(file), {
    broadcast: !values['no-broadcast'],
    fused: !values.unfused,
    target: values.target,
    math: values.math,
    policy: values.policy,
    entry: values.entry,
    turned: values.turned,
  });
  complain(file, JSON.parse(playground.diagnostics_json()).diagnostics);
  if (!playground.ok()) throw new Exit(1, '');
  if (command === 'plan') return print(`${playground.plan_json()}\n`);
  if (command === 'dot') return print(playground.dot());
  if (playground.kernel_count() === 0 && 'nodes' in JSON.parse(playground.plan_json())) {
    throw new Exit(1, `fuseboard: ${file} is a kernel graph: it names kernels and not what they compute, so there is no PTX.`);
  }
  complain(file, JSON.parse(playground.kernels_json()).flatMap((kernel) => kernel.diagnostics));
  if (command === 'run') return run(playground, values);
  return values.out === undefined ? print_kernels(playground) : write_kernels(playground, values.out);
}

// Whoever reads us may stop reading, as head does.
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Exit)) process.stderr.write(`fuseboard: ${error.message}\n`);
  else if (error.message) process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof Exit ? error.status : 1;
}
