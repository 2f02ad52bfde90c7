// Runs the bench natively and as wasm, and prints one table: ratios within a run, and wasm beside native.
// It must not know what is measured.
import { spawnSync } from 'node:child_process';

const most = process.argv[2] ?? '1000000';

/** Lines of one run: bench, family, ops, what, ratio, unit, milliseconds. */
function run(command, ...rest) {
  const { stdout, status, error } = spawnSync(command, [...rest, most], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  });
  if (error ?? status) throw new Error(`${command}: ${error?.message ?? `exit ${status}`}`);
  return stdout.trimEnd().split('\n').map((line) => line.split('\t'));
}

const native = run('build/bench/fuseboard_bench');
const wasm = new Map(run(process.execPath, 'build/wasm/fuseboard_bench.cjs').map((row) => [row.slice(0, 4).join(), row]));

console.log('bench    family        ops      what       native          wasm            wasm time / native time');
for (const row of native) {
  const [bench, family, ops, what, ratio, unit, milliseconds] = row;
  const other = wasm.get(row.slice(0, 4).join());
  const beside = other ? `${other[4].padStart(8)} x ${unit}` : '';
  const times = other ? (other[6] / milliseconds).toFixed(2) : '';
  console.log(
    `${bench.padEnd(8)} ${family.padEnd(12)} ${ops.padStart(8)}  ${what.padEnd(9)} ${ratio.padStart(8)} x ${unit}  ${beside}  ${times}`,
  );
}
