import { toVisit, type LogLine, type ParsedLine } from '#libs/access-log';
import { formatFaults, findVisitFault, type DrainReceipt, type Visit } from '#libs/contracts';
import type { DrainSender } from '#libs/drains';
import type { DrainAccess } from '../access/access.repository.js';
import type { DrainItem } from './drain-body.js';
import { LineReader } from './line-reader.js';
import { isStaticFile } from './static-file.js';

type SortedLine =
  /** `bytes` is the size of the entire item that contains the line. */
  | { kind: 'visit'; line: LogLine; visit: Visit; bytes: number }
  | { kind: 'static_file' | 'left_out' | 'test' }
  | { kind: 'unreadable'; reason: string };

const RECEIPT_NAMES = {
  visit: 'visits',
  static_file: 'static_files',
  left_out: 'left_out',
  unreadable: 'unreadable',
} as const;

export class LineSorter {
  readonly receipt: DrainReceipt = { lines: 0, visits: 0, static_files: 0, left_out: 0, unreadable: 0 };
  private readonly reader: LineReader;

  constructor(
    private readonly sender: DrainSender,
    private readonly drains: Pick<DrainAccess, 'leavesOutStaticFiles' | 'mapping'>,
  ) {
    this.reader = new LineReader(sender, drains.mapping);
  }

  sort(item: DrainItem): SortedLine[] {
    if (typeof item === 'string' && this.sender.isTest?.(item) === true) return [{ kind: 'test' }];
    const lines = this.reader.read(item).map((parsed) => this.classify(parsed, item.length));
    for (const { kind } of lines) {
      this.receipt.lines += 1;
      this.receipt[RECEIPT_NAMES[kind]] += 1;
    }
    return lines;
  }

  private classify(parsed: ParsedLine, bytes: number): SortedLine & { kind: keyof typeof RECEIPT_NAMES } {
    if ('leftOut' in parsed) return { kind: 'left_out' };
    if ('reason' in parsed) return { kind: 'unreadable', reason: parsed.reason };
    const { line } = parsed;
    if (this.drains.leavesOutStaticFiles && isStaticFile(line.method, line.path)) return { kind: 'static_file' };
    const visit = toVisit(line) as Visit;
    const fault = findVisitFault(visit, { mayBeTooLarge: false });
    if (fault !== null) return { kind: 'unreadable', reason: formatFaults(fault.faults) };
    return { kind: 'visit', line, visit, bytes };
  }
}
