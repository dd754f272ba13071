import {
  LogParser,
  mappedFormat,
  parsedJson,
  readLogRecord,
  UNKNOWN_OBJECT,
  type Entry,
  type JsonFormat,
  type ParsedLine,
} from '#libs/access-log';
import { DRAIN_LIMITS, type DrainMapping, type DrainSource } from '#libs/contracts';
import type { DrainItem } from './drain-body.js';

const TOO_LONG = `longer than ${DRAIN_LIMITS.lineBytes / 1_024} KiB`;

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
const FLUENT_BIT = mappedFormat({ ...PARSED, client: 'remote' });
/** Of `apache2`. Other objects have the Host header there, so that it counts last. */
const FLUENT_BIT_APACHE = mappedFormat({ ...PARSED, client: 'host' });

/** Reads what the bodies of a drain hold: lines of any known format, objects, and what collectors wrap lines in. */
export class LineReader {
  private readonly parser = new LogParser();
  private readonly mapped: JsonFormat | null = null;

  /** @param mapping where the fields are in objects of the source `json`. */
  constructor(source: DrainSource, mapping: DrainMapping | null) {
    if (source === 'fluent-bit') this.mapped = FLUENT_BIT;
    else if (source === 'json' && mapping !== null) this.mapped = mappedFormat(mapping);
  }

  /** Reads an item, which can hold several lines. */
  read(item: DrainItem): readonly ParsedLine[] {
    if (item.length > DRAIN_LIMITS.lineBytes) return [{ reason: TOO_LONG }];
    if (typeof item !== 'string') {
      const record = item.entry();
      return record === null ? [{ reason: 'not a log record of OTLP' }] : this.readEntry(record);
    }
    const entry = item.startsWith('{') ? parsedJson(item) : undefined;
    return entry === undefined ? this.parser.readAll(item) : this.readEntry(entry as Entry);
  }

  private readEntry(entry: Entry): readonly ParsedLine[] {
    const mapped = this.mapped?.read(entry);
    if (mapped !== undefined && !('reason' in mapped)) return [mapped];
    const record = readLogRecord(entry);
    if (record !== null && !('reason' in record)) return [record];
    const parsed = this.parser.readAll(entry);
    if (parsed.some((line) => !('reason' in line))) return parsed;
    if (this.mapped === FLUENT_BIT) {
      const apache = FLUENT_BIT_APACHE.read(entry);
      return 'reason' in apache ? parsed : [apache];
    }
    const [first] = parsed;
    const isUnknown = first !== undefined && 'reason' in first && first.reason.startsWith(UNKNOWN_OBJECT);
    return isUnknown ? [mapped ?? record ?? first] : parsed;
  }
}
