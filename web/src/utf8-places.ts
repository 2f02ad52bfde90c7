// Between bytes of UTF-8, which the core counts, and UTF-16 units, which the page counts, for one text.
// It must not know what lies at a place.

const STEP = 4096;

export class Utf8Places {
  readonly #text: string;
  /** Bytes before unit i * STEP; empty where every unit is one byte. */
  readonly #marks: Float64Array;

  /** `textBytes`, where known, saves looking at a text of one-byte characters at all. */
  constructor(text: string, textBytes?: number) {
    this.#text = text;
    if (textBytes === text.length) {
      this.#marks = new Float64Array(0);
      return;
    }
    this.#marks = new Float64Array(Math.floor(text.length / STEP) + 1);
    let bytes = 0;
    for (let i = 0; i < text.length; i += 1) {
      if (i % STEP === 0) this.#marks[i / STEP] = bytes;
      bytes += bytesOf(text, i);
    }
    if (text.length % STEP === 0) this.#marks[text.length / STEP] = bytes;
  }

  /** The unit in which byte `offset` lies; the text's length where it lies behind. */
  unitAt(offset: number): number {
    if (this.#marks.length === 0) return Math.min(offset, this.#text.length);
    let low = 0;
    let high = this.#marks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#marks[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    let unit = low * STEP;
    let bytes = this.#marks[low] ?? 0;
    while (unit < this.#text.length && bytes + bytesOf(this.#text, unit) <= offset) {
      bytes += bytesOf(this.#text, unit);
      unit += 1;
    }
    return unit;
  }

  /** Bytes before `unit`. */
  byteAt(unit: number): number {
    if (this.#marks.length === 0) return unit;
    const mark = Math.min(Math.floor(unit / STEP), this.#marks.length - 1);
    let bytes = this.#marks[mark] ?? 0;
    for (let i = mark * STEP; i < unit; i += 1) bytes += bytesOf(this.#text, i);
    return bytes;
  }
}

/** What unit i adds: a surrogate pair has its four bytes at the first unit; a lone one is U+FFFD, three bytes. */
function bytesOf(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (unit < 0xd800 || unit > 0xdfff) return 3;
  const isHigh = unit < 0xdc00;
  const other = text.charCodeAt(isHigh ? i + 1 : i - 1);
  const paired = isHigh ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other < 0xdc00;
  return paired ? (isHigh ? 4 : 0) : 3;
}
