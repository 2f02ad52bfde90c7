// The examples of the gallery: their list, and the text of one when asked.
// It must not know how a text is planned or shown.
import list from '../examples/index.json';

export interface Example {
  file: string;
  title: string;
  teaches: string;
}

const texts = import.meta.glob<string>(['../examples/**/*.*', '!../examples/index.json'], {
  query: '?raw',
  import: 'default',
});

export const examples: readonly Example[] = list;

/** By file name, with or without its ending. */
export function exampleNamed(name: string): Example | undefined {
  return examples.find(({ file }) => file === name || file.replace(/\.\w+$/, '') === name);
}

export async function exampleText(example: Example): Promise<string> {
  const read = texts[`../examples/${example.file}`];
  if (!read) throw new Error(`no example ${example.file}`);
  return read();
}
