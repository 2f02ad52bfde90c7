// What a run showed, in words: a verdict's sign and name, and one sentence on the whole that claims no more than ran.
// It must not know how it is laid out.
import { countText, plural } from './figures.js';
import type { Count } from './plan.js';
import type { Fault, KernelRun, Moved, Real, RunReport } from './run.js';
import type { Run } from './store.js';

/** How good: for the colour, which is never the only sign. */
export type Tone = 'good' | 'partly' | 'bad' | 'quiet';

export interface Verdict {
  glyph: string;
  words: string;
  tone: Tone;
}

/** `written`: whether there is PTX of the kernel. */
export function verdictOf(run: KernelRun, written: boolean): Verdict {
  switch (run.verdict) {
    case 'pending':
      return { glyph: '…', words: 'waiting', tone: 'quiet' };
    case 'verified':
      return { glyph: '✓', words: 'verified', tone: 'good' };
    case 'held':
      return { glyph: '◐', words: 'held on a sample', tone: 'partly' };
    case 'failed':
      return { glyph: '✕', words: 'failed', tone: 'bad' };
    case 'faulted':
      return { glyph: '!', words: 'faulted', tone: 'bad' };
    case 'cancelled':
      return { glyph: '–', words: 'cancelled', tone: 'quiet' };
    case 'skipped':
      if (run.kind === 'library') return { glyph: '▫', words: 'library call, by reference', tone: 'quiet' };
      if (run.kind === 'fresh') return { glyph: '▫', words: 'library call, fresh values', tone: 'quiet' };
      return { glyph: '–', words: written ? 'did not run' : 'PTX not written', tone: 'quiet' };
  }
}

export const isWrong = ({ verdict }: KernelRun): boolean => verdict === 'failed' || verdict === 'faulted';

/** Whether these bytes break a promise: they had to be equal, were measured, and are not. */
export function breaksPromise(run: KernelRun, moved: Moved): boolean {
  return run.kind === 'full' && run.verdict === 'verified' && moved.must_be_equal && !moved.equal;
}

export function overall({ report, end }: Run): { tone: Tone; glyph: string; sentence: string } | undefined {
  if (end === undefined) return undefined;
  if (end.why === 'crashed')
    return { tone: 'bad', glyph: '✕', sentence: `The core stopped (${end.message.slice(0, 200)}). Nothing is verified.` };
  if (!report) return { tone: 'quiet', glyph: '–', sentence: 'Cancelled before anything ran.' };
  const bad = wrongParts(report);
  const whole = end.why === 'finished' && report.state === 'finished';
  const upTo = whole ? '' : ` Cancelled after ${countText(report.kernels_done)} of ${plural(report.kernels_total, 'launch', 'launches')}.`;
  if (bad.length > 0) return { tone: 'bad', glyph: '✕', sentence: `Wrong: ${bad.join('; ')}.${upTo}` };
  if (!report.passed && whole) return { tone: 'bad', glyph: '✕', sentence: 'Not all of it is right: see the kernels.' };
  const did = doneParts(report);
  if (!whole)
    return { tone: 'quiet', glyph: '–', sentence: `${upTo.trim()} Nothing wrong so far${did.length > 0 ? `: ${did.join(', ')}` : ''}.` };
  const aside = asideParts(report);
  const rest = aside.length > 0 ? ` ${aside.join('. ')}.` : '';
  if (report.verified) {
    const count = report.kernels.filter(({ verdict }) => verdict === 'verified').length;
    const all = count === 1 ? 'the kernel' : `all ${countText(count)} kernels`;
    return { tone: 'good', glyph: '✓', sentence: `Verified: every block of ${all} ran, and every value, load and store held.${rest}` };
  }
  if (did.length === 0) return { tone: 'quiet', glyph: '–', sentence: `No kernel of this plan ran.${rest}` };
  const held = report.kernels.some(({ verdict }) => verdict === 'held');
  return {
    tone: 'partly',
    glyph: '◐',
    sentence: `Nothing wrong in what ran: ${did.join(', ')}.${held ? ' Only a run of all blocks can verify.' : ''}${rest}`,
  };
}

function wrongParts({ kernels, fused_equals_unfused: unfused }: RunReport): string[] {
  const count = (has: (run: KernelRun) => boolean) => kernels.filter(has).length;
  const failed = count(({ verdict }) => verdict === 'failed');
  const faulted = count(({ verdict }) => verdict === 'faulted');
  const bytes = count((run) => breaksPromise(run, run.read) || breaksPromise(run, run.written));
  return [
    failed > 0 ? `${plural(failed, 'kernel')} failed` : '',
    faulted > 0 ? `${plural(faulted, 'kernel')} faulted` : '',
    bytes > 0 ? `${plural(bytes, 'kernel')} moved other bytes than promised` : '',
    unfused.compared && !unfused.equal ? 'fused and unfused differ' : '',
  ].filter((part) => part !== '');
}

function doneParts({ kernels }: RunReport): string[] {
  const verified = kernels.filter(({ verdict }) => verdict === 'verified').length;
  const held = kernels.filter(({ verdict }) => verdict === 'held').length;
  return [
    verified > 0 ? `${plural(verified, 'kernel')} verified` : '',
    held > 0 ? `${plural(held, 'kernel')} held on a sample` : '',
  ].filter((part) => part !== '');
}

/** What did not run as PTX of ours. */
function asideParts({ kernels }: RunReport): string[] {
  const count = (kind: string) => kernels.filter((run) => run.verdict === 'skipped' && run.kind === kind).length;
  const [library, fresh, none] = [count('library'), count('fresh'), count('none')];
  const was = (n: number) => (n === 1 ? 'was' : 'were');
  return [
    library > 0 ? `${plural(library, 'library call')} ${was(library)} computed by reference` : '',
    fresh > 0 ? `${plural(fresh, 'library call')} ${was(fresh)} given fresh values` : '',
    none > 0 ? `${plural(none, 'kernel')} did not run` : '',
  ].filter((part) => part !== '');
}

/** 0.5, 1.25, 1,024, 3.2e+9. */
export function ulpText(ulps: Real): string {
  if (typeof ulps !== 'number') return ulps.replace('inf', '∞').replace('nan', 'NaN');
  if (ulps !== 0 && (Math.abs(ulps) >= 1e6 || Math.abs(ulps) < 1e-3)) return ulps.toExponential(1);
  return (ulps >= 100 ? Math.round(ulps) : Number(ulps.toPrecision(3))).toLocaleString('en-US');
}

export function figureText(value: number | null): string {
  return value === null ? '–' : Number(value.toPrecision(4)).toLocaleString('en-US', { maximumFractionDigits: 2 });
}

export function elementText(element: Count[]): string {
  return `[${element.join(', ')}]`;
}

const faultNames: Record<string, string> = {
  'out-of-bounds': 'Access out of bounds',
  misaligned: 'Misaligned access',
  'never-written': 'Read of memory never written',
  race: 'Race on shared memory',
  barrier: 'Barrier that not all can reach',
  'read-only': 'Store to read-only memory',
  trap: 'Trap',
  unsupported: 'Instruction that is not run here',
  'call-depth': 'Calls nested too deep',
  'bad-branch': 'Branch to nowhere',
  'step-budget': 'Step budget used up',
};

export function faultName({ kind }: Fault): string {
  return faultNames[kind] ?? kind;
}

export function placeText(at: number[]): string {
  return `(${at.join(', ')})`;
}

/** "global_load_requests" as "global load requests". */
export function counterName(name: string): string {
  return name.replaceAll('_', ' ');
}
