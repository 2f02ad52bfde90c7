// The command `exec`: any PTX, its parameters, what it stored, its faults.
// It must not know how PTX is run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, fuseboard } from './command';

const head = '.version 8.1\n.target sm_90\n.address_size 64\n';

/** y[i] = a * x[i] + y[i] for the threads of the grid. */
const saxpy = `${head}.visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y)
{
  .reg .f32 %f<5>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<6>;
  ld.param.f32 %f1, [a];
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4];
  ld.global.f32 %f3, [%rd5];
  fma.rn.f32 %f4, %f1, %f2, %f3;
  st.global.f32 [%rd5], %f4;
  ret;
}
`;
const saxpy_launch = ['--grid', '2', '--block', '32', '--param', 'f32:2', '--param', 'f32[64]=iota', '--param', 'f32[64]=1'];

test('a module runs over buffers as asked, and its values are printed', () => {
  const { status, stdout, stderr } = fuseboard(['exec', '-', '--entry', 'saxpy', ...saxpy_launch, '--print', '5'], saxpy);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('finished: 2 of 2 blocks, 30 warp instructions');
  expect(stdout).toContain('1 x f32[64] read 256 B, written 0 B: 0 1 2 3 4 ...');
  expect(stdout).toContain('2 y f32[64] read 256 B, written 256 B: 1 3 5 7 9 ...');
});

test('buffers come from files and go into files, byte for byte', () => {
  const directory = folder();
  const from = join(directory, 'x.bin');
  writeFileSync(from, new Uint8Array(Float32Array.from({ length: 64 }, (_, i) => 100 - i).buffer));
  const out = join(directory, 'out');
  const launch = ['--grid', '2', '--block', '32', '--param', 'f32:2', '--param', `f32[64]=@${from}`, '--param', 'f32[64]=zeros'];
  const { status, stderr } = fuseboard(['exec', '-', ...launch, '--out', out], saxpy);
  expect([status, stderr]).toEqual([0, '']);
  const stored = new Float32Array(new Uint8Array(readFileSync(join(out, '2-y.bin'))).buffer);
  expect([...stored.slice(0, 3)]).toEqual([200, 198, 196]);
  expect(existsSync(join(out, '1-x.bin'))).toBe(true);
  expect(fuseboard(['exec', '-', ...launch.map((each) => each.replace(from, `${from}.gone`))], saxpy).status).toBe(1);
});

test('scratch JSON has the values as text', () => {
  const { status, stdout } = fuseboard(['exec', '-', ...saxpy_launch, '--json'], saxpy);
  expect(status).toBe(0);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ state: 'finished', fault: null, blocks: 2, blocks_finished: 2 });
  expect(result.buffers.map((each: { name: string }) => each.name)).toEqual(['x', 'y']);
  expect(result.buffers[1].values[63]).toBe('127');
  expect(result.counters.threads).toBe(64);
});

test('an access past the end is a fault with its line, thread and address', () => {
  const { status, stderr } = fuseboard(['exec', '-', ...saxpy_launch.map((each) => each.replace('[64]=iota', '[63]=iota'))], saxpy);
  expect(status).toBe(3);
  expect(stderr).toMatch(/^<stdin>:19: fault\[out-of-bounds\]: .*\(block 1,0,0, thread 31,0,0, address 0x[0-9a-f]+\)\n$/);
});

test('reading what was never written is a fault', () => {
  const { status, stderr } = fuseboard(['exec', '-', ...saxpy_launch.map((each) => each.replace('=iota', '=none'))], saxpy);
  expect(status).toBe(3);
  expect(stderr).toContain('fault[never-written]');
});

test('an endless loop ends at its budget', () => {
  const endless = `${head}.visible .entry spin()\n{\n  $again:\n  bra $again;\n}\n`;
  const { status, stderr } = fuseboard(['exec', '-', '--steps', '10000'], endless);
  expect(status).toBe(3);
  expect(stderr).toContain('fault[step-budget]');
});

test('a race in shared memory and a barrier that not all reach are faults', () => {
  const race = `${head}.visible .entry race()\n{
  .shared .align 4 .b32 cell[1];
  .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x;
  st.shared.u32 [cell], %r1;
  ret;
}
`;
  expect(fuseboard(['exec', '-', '--block', '64'], race).stderr).toContain('fault[race]');
  const barrier = `${head}.visible .entry missed()\n{
  .reg .b32 %r<3>;
  .reg .pred %p<2>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra $out;
  bar.sync 1, 64;
$out:
  ret;
}
`;
  expect(fuseboard(['exec', '-', '--block', '64'], barrier).stderr).toContain('fault[barrier]');
});

test('what is wrong with a module, a launch or a parameter is said', () => {
  const unknown = fuseboard(['exec', '-'], saxpy.replace('fma.rn.f32', 'frobnicate.f32'));
  expect(unknown.status).toBe(1);
  expect(unknown.stderr).toMatch(/^<stdin>:21:3: error\[/);
  expect(fuseboard(['exec', '-'], saxpy)).toMatchObject({ status: 1, stderr: expect.stringContaining('takes 3 parameters; 0 are given') });
  expect(fuseboard(['exec', '-', '--entry', 'daxpy', ...saxpy_launch], saxpy).status).toBe(1);
  expect(fuseboard(['exec', '-', '--param', 'f32'], saxpy).status).toBe(2);
  expect(fuseboard(['exec', '-', '--grid', '0'], saxpy).status).toBe(2);
  const odd = fuseboard(['exec', '-', '--param', 'f99:1'], saxpy);
  expect(odd).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no dtype "f99"') });
  expect(fuseboard(['exec', '-', '--param', 'i8:300'], saxpy)).toMatchObject({ status: 1, stderr: expect.stringContaining('300 is no value of i8') });
});
