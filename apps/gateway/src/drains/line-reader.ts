import {
  LogParser,
  mappedFormat,
  parseJsonLine,
  readLogRecord,
  UNKNOWN_OBJECT,
  type Entry,
  type JsonFormat,
  type ParsedLine,
} from '#libs/access-log';
import { DRAIN_LIMITS, type DrainMapping } from '#libs/contracts';
import type { DrainSender } from '#libs/drains';
import type { DrainItem } from './drain-body.js';

const TOO_LONG = `longer than ${DRAIN_LIMITS.lineBytes / 1_024} KiB`;

/**
 * Reads drain items: lines and JSON objects in any known format, optionally wrapped in a log collector's own format.
 */
export class LineReader {
  private readonly parser = new LogParser();
  private readonly mapped: JsonFormat | null;
  private readonly fallback: JsonFormat | null;

  /** @param mapping JSON keys configured by the project, or null if it hasn't configured any. */
  constructor({ keys, fallbackKeys }: Pick<DrainSender, 'keys' | 'fallbackKeys'>, mapping: DrainMapping | null) {
    const first = keys === 'project' ? mapping : keys;
    this.mapped = first == null ? null : mappedFormat(first);
    this.fallback = fallbackKeys === undefined ? null : mappedFormat(fallbackKeys);
  }

  read(item: DrainItem): readonly ParsedLine[] {
    if (item.length > DRAIN_LIMITS.lineBytes) return [{ reason: TOO_LONG }];
    if (typeof item !== 'string') {
      const record = item.entry();
      return record === null ? [{ reason: 'not an OTLP log record' }] : this.readEntry(record);
    }
    const entry = item.startsWith('{') ? parseJsonLine(item) : undefined;
    return entry === undefined ? this.parser.readAll(item) : this.readEntry(entry as Entry);
  }

  private readEntry(entry: Entry): readonly ParsedLine[] {
    const mapped = this.mapped?.read(entry);
    if (mapped !== undefined && !('reason' in mapped)) return [mapped];
    const record = readLogRecord(entry);
    if (record !== null && !('reason' in record)) return [record];
    const parsed = this.parser.readAll(entry);
    if (parsed.some((line) => !('reason' in line))) return parsed;
    if (this.fallback !== null) {
      const last = this.fallback.read(entry);
      return 'reason' in last ? parsed : [last];
    }
    const [first] = parsed;
    const isUnknown = first !== undefined && 'reason' in first && first.reason.startsWith(UNKNOWN_OBJECT);
    return isUnknown ? [mapped ?? record ?? first] : parsed;
  }
}
