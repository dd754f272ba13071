import {
  LogParser,
  mappedFormat,
  parsedJson,
  readEntry,
  readLogRecord,
  type Entry,
  type JsonFormat,
  type ParsedLine,
} from '#libs/access-log';
import { DRAIN_LIMITS, type DrainMapping, type DrainSource } from '#libs/contracts';
import type { DrainItem } from './drain-body.js';

const TOO_LONG = `longer than ${DRAIN_LIMITS.lineBytes / 1_024} KiB`;

/** Where collectors put a line that they did not take apart. */
const WRAPPED_IN = ['message', 'log', 'line', 'event'];

/** What Fluent Bit's parsers `nginx` and `apache2` make of a line (fluent-bit/conf/parsers.conf), beside its own `date`. */
const PARSED = {
  time: 'date',
  method: 'method',
  path: 'path',
  status: 'code',
  size: 'size',
  referer: 'referer',
  user_agent: 'agent',
};
const FLUENT_BIT = ['remote', 'host'].map((client) => mappedFormat({ ...PARSED, client }));

/** Reads what the bodies of a drain hold: lines of any known format, objects, and what collectors wrap lines in. */
export class LineReader {
  private readonly parser = new LogParser();
  private readonly mapped: readonly JsonFormat[];

  /** @param mapping where the fields are in objects of the source `json`. */
  constructor(source: DrainSource, mapping: DrainMapping | null) {
    if (source === 'fluent-bit') this.mapped = FLUENT_BIT;
    else this.mapped = source === 'json' && mapping !== null ? [mappedFormat(mapping)] : [];
  }

  read(item: DrainItem): ParsedLine {
    if (item.length > DRAIN_LIMITS.lineBytes) return { reason: TOO_LONG };
    if (typeof item !== 'string') {
      const record = item.entry();
      return record === null ? { reason: 'not a log record of OTLP' } : this.readEntry(record);
    }
    const entry = item.startsWith('{') ? parsedJson(item) : undefined;
    return entry === undefined ? this.parser.read(item) : this.readEntry(entry as Entry);
  }

  private readEntry(entry: Entry): ParsedLine {
    let failed: ParsedLine | undefined;
    for (const format of this.mapped) {
      const mapped = format.read(entry);
      if (!('reason' in mapped)) return mapped;
      failed = mapped;
    }
    const parsed = readLogRecord(entry) ?? readEntry(entry);
    if (!('reason' in parsed)) return parsed;
    for (const name of WRAPPED_IN) {
      const text = entry[name];
      if (typeof text === 'string' && text !== '') {
        return this.parser.read(Buffer.from(text.trimEnd()).toString('latin1'));
      }
    }
    return (this.mapped === FLUENT_BIT ? undefined : failed) ?? parsed;
  }
}
