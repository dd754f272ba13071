import type { Visit } from '#libs/contracts';
import { count, plural, shortened, visible } from '../terminal-text.js';
import type { Run } from './chunker.js';
import type { LogLine } from './line-parser.js';
import { toVisit } from './log-visit.js';
import { decodeBytes } from './quoted-field.js';
import { UserAgentCounts } from './user-agent-counts.js';

/** Unreadable lines and refusals that are shown; all are counted. */
const SHOWN = 20;
const EXAMPLES = 3;

export interface UnreadableLine {
  name: string;
  /** From 1. */
  number: number;
  reason: string;
  text: string;
}

/** What an import did, counted while it runs. */
export class ImportSummary {
  read = 0;
  blank = 0;
  readable = 0;
  sent = 0;
  /** Visits that an earlier import, or the same one before it was stopped, sent. */
  repeated = 0;
  refused = 0;
  unreadable = 0;
  readonly unreadableLines: UnreadableLine[] = [];
  readonly refusals: string[] = [];
  /** Logs that could not be read to their end. */
  readonly failures: string[] = [];
  /** The first visits, as they are sent. */
  readonly examples: Visit[] = [];
  readonly userAgents = new UserAgentCounts();
  /** What is recorded, refused or unreadable, of what was read. */
  readonly done = { lines: 0, bytes: 0 };

  addBlank(): void {
    this.read += 1;
    this.blank += 1;
  }

  /** @param text one character a byte. */
  addUnreadable(name: string, number: number, reason: string, text: string): void {
    this.read += 1;
    this.unreadable += 1;
    if (this.unreadableLines.length < SHOWN) {
      this.unreadableLines.push({ name, number, reason, text: decodeBytes(text).slice(0, 500) });
    }
  }

  addReadable(line: LogLine): void {
    this.read += 1;
    this.readable += 1;
    if (this.examples.length < EXAMPLES) this.examples.push(toVisit(line));
  }

  addSent(
    visits: readonly { userAgent?: string }[],
    { rejected, isRepeat }: { rejected: number; isRepeat: boolean },
  ): void {
    if (isRepeat) this.repeated += visits.length - rejected;
    else this.sent += visits.length - rejected;
    this.refused += rejected;
    for (const { userAgent } of visits) this.userAgents.add(userAgent);
    if (rejected > 0) this.addRefusal(`${plural(rejected, 'visit')} of a batch, kept as dead letters`);
  }

  addDone({ lines, bytes = 0 }: Run): void {
    this.done.lines += lines.length;
    this.done.bytes += bytes;
  }

  addRefused(name: string, firstLine: number, lastLine: number, visits: number, reason: string): void {
    this.refused += visits;
    this.addRefusal(`${name}:${firstLine}-${lastLine} (${plural(visits, 'visit')}): ${reason}`);
  }

  /** Whether everything that could be read is recorded. */
  get complete(): boolean {
    return this.refused === 0 && this.failures.length === 0;
  }

  private addRefusal(text: string): void {
    if (this.refusals.length < SHOWN) this.refusals.push(text);
  }
}

export interface SummaryHeading {
  title: string;
  /** Nothing was sent. */
  dryRun: boolean;
}

/** The summary as text: counts, and what went wrong with its lines. */
export function renderSummary(summary: ImportSummary, { title, dryRun }: SummaryHeading): string {
  const rows: [string, number][] = [
    ['Lines read', summary.read],
    dryRun ? ['Would be sent', summary.readable] : ['Visits sent', summary.sent],
    ...(summary.repeated > 0 ? [['Already recorded', summary.repeated] as [string, number]] : []),
    ...(dryRun ? [] : [['Refused', summary.refused] as [string, number]]),
    ['Unreadable', summary.unreadable],
    ...(summary.blank > 0 ? [['Blank', summary.blank] as [string, number]] : []),
  ];
  const width = Math.max(...rows.map(([, value]) => count(value).length));
  const labelWidth = Math.max(...rows.map(([label]) => label.length)) + 1;
  const parts = [
    [title, '', ...rows.map(([label, value]) => `  ${label.padEnd(labelWidth)}${count(value).padStart(width)}`)].join(
      '\n',
    ),
  ];
  if (summary.unreadable > 0) {
    const lines = summary.unreadableLines.map(
      ({ name, number, reason, text }) =>
        `  ${name}:${number}  ${visible(reason)}\n    ${visible(shortened(text, 100))}`,
    );
    parts.push([`Unreadable lines${shownOf(lines.length, summary.unreadable)}`, ...lines].join('\n'));
  }
  if (summary.refusals.length > 0) parts.push(['Refused', ...summary.refusals.map((text) => `  ${text}`)].join('\n'));
  if (summary.failures.length > 0) {
    parts.push(['Not read to the end', ...summary.failures.map((text) => `  ${text}`)].join('\n'));
  }
  return parts.join('\n\n');
}

/** A table of counts under a heading, largest first. */
export function renderCounts(title: string, rows: readonly { label: string; count: number }[]): string {
  const width = Math.max(...rows.map((row) => count(row.count).length));
  return [title, ...rows.map((row) => `  ${count(row.count).padStart(width)}  ${visible(row.label)}`)].join('\n');
}

const shownOf = (shown: number, all: number): string => (shown < all ? ` (the first ${shown} of ${count(all)})` : '');
