// The command's words and exit status: 0 fine, 1 the input is wrong, 2 usage.
// It must not know what a plan says.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { file, folder, fuseboard, root } from './command';

const graph = `{"ops": [{"name": "x", "kind": "input", "output_shape": [1024], "dtype": "f32"},
 {"name": "y", "kind": "relu", "inputs": ["x"]},
 {"name": "z", "kind": "add", "inputs": ["y", "x"]}]}`;
const dangling = `{"ops": [{"name": "x", "kind": "input", "output_shape": [1024], "dtype": "f32"},
 {"name": "y", "kind": "relu", "inputs": ["nowhere"]}]}`;

test('plan prints plan JSON of a file and of standard input', () => {
  const path = file('graph.json', graph);
  const from_file = fuseboard(['plan', path]);
  expect(from_file.stderr).toBe('');
  expect(from_file.status).toBe(0);
  const plan = JSON.parse(from_file.stdout);
  expect(plan.version).toBe(1);
  expect(plan.ops.map((op: { name: string }) => op.name)).toEqual(['x', 'y', 'z']);
  expect(fuseboard(['plan', '-'], graph).stdout).toBe(from_file.stdout);
});

test('byte counts past 2^53 come out digit by digit', () => {
  const huge = '{"ops": [{"kind": "relu", "inputs": [], "output_shape": [9007199254740993], "dtype_bytes": 1}]}';
  expect(fuseboard(['plan', '-'], huge).stdout).toContain('9007199254740993');
});

test('a broadcast edge is refused on demand', () => {
  const broadcast = `{"ops": [{"name": "x", "kind": "input", "output_shape": [4, 1], "dtype": "f32"},
    {"name": "y", "kind": "relu", "inputs": ["x"]},
    {"name": "w", "kind": "input", "output_shape": [4, 8], "dtype": "f32"},
    {"name": "z", "kind": "add", "inputs": ["y", "w"]}]}`;
  expect(fuseboard(['plan', '-'], broadcast).stdout).not.toContain('shapes-differ');
  expect(fuseboard(['plan', '-', '--no-broadcast'], broadcast).stdout).toContain('shapes-differ');
});

const softmax = `{"ops": [{"name": "x", "kind": "input", "output_shape": [4, 8], "dtype": "f32"},
  {"name": "e", "kind": "exp", "inputs": ["x"]},
  {"name": "s", "kind": "reduce", "reducer": "sum", "axes": [1], "keepdims": true, "inputs": ["e"]},
  {"name": "y", "kind": "div", "inputs": ["e", "s"]}]}`;

test('a file is planned by rows, or by the policy that is asked for; dot draws the same groups', { timeout: 60_000 }, () => {
  const groups = (...policy: string[]) => JSON.parse(fuseboard(['plan', '-', ...policy], softmax).stdout).groups.length;
  expect(groups()).toBe(2);
  expect(groups('--policy', 'rows')).toBe(2);
  expect(groups('--policy', 'regions')).toBe(2);
  expect(groups('--policy', 'elementwise')).toBe(4);
  expect(JSON.parse(fuseboard(['plan', '-'], softmax).stdout).options.policy).toBe('rows');
  expect(fuseboard(['dot', '-'], softmax).stdout).not.toBe(fuseboard(['dot', '-', '--policy', 'elementwise'], softmax).stdout);
});

test('lines are planned by elementwise, whatever a file is', () => {
  const { status, stdout } = fuseboard(['plan', '--jsonl', '-'], `{"broadcast": true, "graph": ${softmax.replace(/\n/g, ' ')}}\n`);
  expect(status).toBe(0);
  expect(JSON.parse(stdout).plan.groups.length).toBe(4);
});

test('ptx writes a file for each kernel and kernels.json', () => {
  const out = join(folder(), 'deep', 'kernels');
  const { status, stdout, stderr } = fuseboard(['ptx', '-', '--target', 'sm_80', '--math', 'fast', '--out', out], graph);
  expect([status, stdout, stderr]).toEqual([0, '', '']);
  const kernels = JSON.parse(readFileSync(join(out, 'kernels.json'), 'utf8'));
  const files = kernels.map((kernel: { file: string }) => kernel.file);
  expect(readdirSync(out).sort()).toEqual([...files, 'kernels.json'].sort());
  const text = readFileSync(join(out, files[0]), 'utf8');
  expect(text).toContain('.target sm_80');
  expect(text).toContain(`.entry ${kernels[0].entry}`);
  expect(fuseboard(['ptx', '-', '--target', 'sm_80'], graph).stdout).toContain(text);
});

test('ptx says on standard error which kernels it does not write, and where', () => {
  const wide = `{"ops": [{"name": "x", "kind": "input", "output_shape": [8], "dtype": "c64"},
 {"name": "y", "kind": "relu", "inputs": ["x"]}]}`;
  const { status, stdout, stderr } = fuseboard(['ptx', '-'], wide);
  expect([status, stdout]).toEqual([0, '']);
  expect(stderr).toMatch(/^<stdin>:1:10: warning\[not-emitted\]: relu_y_1 is not written as PTX: x \(input\) has dtype c64/);
  expect(fuseboard(['plan', '-'], wide).stderr).toBe('');
});

test('names cannot write control characters to the terminal', () => {
  const hostile = '{"ops": [{"name": "\\u001b[31m\\nx", "kind": "relu", "inputs": ["nowhere"], "output_shape": [1]}]}';
  const { status, stderr } = fuseboard(['plan', '-'], hostile);
  expect(status).toBe(1);
  expect(stderr).toContain(String.raw`"\x1b[31m\nx" reads`);
  expect(stderr).not.toContain('\u001b');
  const foreign = '{"ops": [{"kind": "input", "output_shape": [8]}, {"name": "\\u001b[2J\\ny", "kind": "my\\u001b[2Jop", "inputs": [0], "output_shape": [8]}]}';
  const ran = fuseboard(['run', '-'], foreign);
  expect(ran.stdout).toContain(String.raw`my\x1b[2Jop`);
  expect(ran.stdout + ran.stderr).not.toContain('\u001b');
});

test('unfused, every op is a kernel of its own', () => {
  const out = folder();
  expect(fuseboard(['ptx', '-', '--unfused', '--out', out], graph).status).toBe(0);
  expect(JSON.parse(readFileSync(join(out, 'kernels.json'), 'utf8')).length).toBe(2);
});

test('dot and ops', () => {
  expect(fuseboard(['dot', '-'], graph).stdout).toMatch(/^digraph/);
  const ops = JSON.parse(fuseboard(['ops']).stdout);
  expect(ops.map((op: { kind: string }) => op.kind)).toContain('axpy');
});

test('a wrong input is told with file, line, column and code; exit 1', () => {
  const path = file('graph.json', dangling);
  const { status, stdout, stderr } = fuseboard(['plan', path]);
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/graph\.json:2:\d+: error\[dangling-input\]: .*nowhere/);
  expect(stderr.startsWith(`${path}:2:`)).toBe(true);
  for (const command of ['ptx', 'dot']) expect(fuseboard([command, path]).status).toBe(1);
});

test('every fault is told, broken bytes too', () => {
  const { stderr } = fuseboard(['plan', '-'], dangling.replace('"input"', '"input", "dtype_bytes": 2'));
  expect(stderr).toMatch(/^<stdin>:\d+:\d+: error\[dtype-conflict\]/m);
  expect(stderr).toMatch(/^<stdin>:\d+:\d+: error\[dangling-input\]/m);
  for (const input of ['', '{', '\0\0', new Uint8Array([0xff, 0xfe, 0x7b])]) {
    const outcome = fuseboard(['plan', '-'], input);
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toMatch(/^<stdin>:\d+:\d+: error\[[a-z-]+\]: ./);
  }
});

test('a file that is not there', () => {
  const { status, stderr } = fuseboard(['plan', join(folder(), 'none.json')]);
  expect(status).toBe(1);
  expect(stderr).toContain('none.json');
});

test.each([
  [[]],
  [['fuse']],
  [['plan']],
  [['plan', 'a', 'b']],
  [['plan', '-', '--fast']],
  [['plan', '-', '--target', 'sm_90']],
  [['plan', '-', '--jsonl', '--no-broadcast']],
  [['plan', '-', '--jsonl', '--turned', 'f']],
  [['plan', '-', '--policy', 'greedy']],
  [['plan', '-', '--policy']],
  [['ptx', '-', '--target', 'sm_1']],
  [['ptx', '-', '--target']],
  [['ptx', '-', '--math', 'wild']],
  [['ops', '-']],
])('usage: %j exits 2', (args) => {
  const { status, stdout, stderr } = fuseboard(args, graph);
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('--help');
});

test('help and version', () => {
  const help = fuseboard(['--help']);
  expect(help.status).toBe(0);
  for (const command of ['plan', 'ptx', 'dot', 'ops', '--jsonl']) expect(help.stdout).toContain(command);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(fuseboard(['--version']).stdout).toBe(`fuseboard ${version}\n`);
});

test('a reader that stops reading ends it quietly', () => {
  if (!existsSync('/bin/sh')) return console.log('skipped: closed pipe, there is no /bin/sh');
  const data = file('many.jsonl', readFileSync(join(root, 'tests/data/elementwise.jsonl'), 'utf8').repeat(5));
  const { stderr, stdout } = spawnSync('/bin/sh', ['-c', '"$0" "$1" plan --jsonl "$2" | head -n 1', process.execPath, join(root, 'wasm/cli.mjs'), data], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout.split('\n').length).toBe(2);
});
