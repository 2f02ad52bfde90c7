// Where places of an earlier text lie in the editor's document now: the changes made since each text was sent.
// It must not know what the places mean.
import { ChangeSet, type ChangeDesc, type Text } from '@codemirror/state';
import { Utf8Places } from './utf8-places.js';

interface Version {
  text: string;
  since: ChangeDesc;
  places: Utf8Places | undefined;
}

/** Only the texts of the plan on show, of the answer before it and of runs under way are asked about. */
const KEPT = 6;

export class TextVersions {
  #versions: Version[] = [];

  /** The document has been read as `text`. */
  add(text: string): void {
    const since = ChangeSet.empty(text.length).desc;
    this.#versions = [...this.#versions.slice(-KEPT + 1), { text, since, places: undefined }];
  }

  change(changes: ChangeDesc): void {
    for (const version of this.#versions) version.since = version.since.composeDesc(changes);
  }

  /** The document's units that hold `length` bytes at `offset` of `text`; undefined where that text is forgotten. */
  unitsOf(text: string, textBytes: number, offset: number, length: number): [number, number] | undefined {
    const version = this.#find(text);
    if (!version) return undefined;
    const places = (version.places ??= new Utf8Places(text, textBytes));
    const from = version.since.mapPos(places.unitAt(offset), 1);
    return [from, Math.max(from, version.since.mapPos(places.unitAt(offset + length), -1))];
  }

  /** The byte of `text` where the document's `unit` was. */
  byteOf(text: string, textBytes: number, unit: number): number | undefined {
    const version = this.#find(text);
    if (!version) return undefined;
    const places = (version.places ??= new Utf8Places(text, textBytes));
    return places.byteAt(version.since.invertedDesc.mapPos(unit, -1));
  }

  #find(text: string): Version | undefined {
    return this.#versions.findLast((version) => version.text === text);
  }
}

/** The document as one string with its own line breaks, which are one unit each. */
export function wholeText(document: Text): string {
  return document.sliceString(0, document.length, '\n');
}
