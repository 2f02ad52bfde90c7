// How the command reads files, speaks, and ends.
// It must not know what it says.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** An end of the command with a word on standard error. */
export class Exit extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}
export const usage = (message) => new Exit(2, `${message}\nTry: fuseboard --help`);
export const unreadable = (file, error) => new Exit(1, `${file}: error[unreadable]: ${error.message}`);

export async function print(text) {
  if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}

export const chunks = (file) => (file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 }));

export async function read(file) {
  try {
    if (file !== '-') return await readFile(file);
    const all = [];
    for await (const chunk of chunks(file)) all.push(chunk);
    return Buffer.concat(all);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** What a user named may hold control characters: they are shown, never sent to the terminal. */
export const visible = (text) =>
  text.replace(/\p{Cc}/gu, (control) => (control === '\n' ? '\\n' : `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`));

/** Prints every diagnostic; one of severity error is what makes the input wrong. */
export function complain(file, diagnostics) {
  const name = file === '-' ? '<stdin>' : file;
  for (const { severity, code, message, hint, line, column } of diagnostics) {
    const place = line ? `${name}:${line}:${column}` : name;
    process.stderr.write(`${visible(`${place}: ${severity}[${code}]: ${message}`)}\n`);
    if (hint) process.stderr.write(`  hint: ${visible(hint)}\n`);
  }
}
