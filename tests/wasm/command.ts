// Runs the command in a process of its own, as a shell would.
// It must not know what the command prints.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

export function fuseboard(args: string[], input: string | Uint8Array = ''): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'wasm/cli.mjs'), ...args], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  return { status, stdout, stderr };
}

/** A folder of its own for one test. */
export const folder = (): string => mkdtempSync(join(tmpdir(), 'fuseboard-'));

export function file(name: string, text: string): string {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}
