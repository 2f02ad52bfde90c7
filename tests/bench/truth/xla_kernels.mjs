// What XLA launches for a module after its optimization, and the bytes that each launch touches by its shapes.
// It must not know our plans. Reads HLO text (the entry computation alone).

const kBytes = { pred: 1, s8: 1, u8: 1, s16: 2, f16: 2, bf16: 2, s32: 4, u32: 4, f32: 4, s64: 8, u64: 8, f64: 8 };
/** Instructions of the entry that launch nothing. */
const kQuiet = new Set(['parameter', 'constant', 'get-tuple-element', 'tuple', 'bitcast']);

/** The bytes of each array of a type, in order; a library's workspace (an s8 array of a tuple) counts nothing. */
function sizes(type) {
  const isTuple = type.startsWith('(');
  return [...type.matchAll(/(\w+)\[([\d,]*)\]/g)].map(([, dtype, dims]) => {
    if (isTuple && dtype === 's8') return 0;
    const extents = dims === '' ? [] : dims.split(',').map(Number);
    return extents.reduce((product, extent) => product * extent, kBytes[dtype] ?? 0);
  });
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** [{name, opcode, bytes}] in the order of the text. */
export function xlaKernels(text) {
  const entry = text.slice(text.lastIndexOf('\nENTRY '));
  const bytesOf = new Map();
  const kernels = [];
  for (const [, name, type, opcode, operands] of entry.matchAll(
    /^ +(?:ROOT )?%(\S+) = (\([^)]*\)|\S+) ([\w-]+)\((.*?)\)(?:,|$)/gm,
  )) {
    const own = sizes(type);
    const read = [...new Set(operands.match(/%[\w.-]+(?:#\d+)?/g) ?? [])].map((word) => {
      const [of, element] = word.slice(1).split('#');
      const all = bytesOf.get(of) ?? [];
      return element === undefined ? sum(all) : (all[Number(element)] ?? 0);
    });
    const index = /index=(\d+)/.exec(entry.slice(entry.indexOf(`%${name} =`)));
    const isElement = opcode === 'get-tuple-element' && index;
    const source = /%([\w.-]+)/.exec(operands)?.[1];
    bytesOf.set(name, isElement ? [(bytesOf.get(source) ?? [])[Number(index[1])] ?? 0] : own);
    if (!kQuiet.has(opcode)) kernels.push({ name, opcode, bytes: sum(read) + sum(own) });
  }
  return kernels;
}
