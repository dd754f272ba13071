import {
  LogParser,
  mappedFormat,
  readEntry,
  readLogRecord,
  type Entry,
  type JsonFormat,
  type ParsedLine,
} from '#libs/access-log';
import type { DrainMapping, DrainSource } from '#libs/contracts';
import type { DrainItem } from './drain-body.js';

const NOT_ASCII = /[^\0-\x7f]/;

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
    if (typeof item !== 'string') return this.readEntry(item as Entry);
    const entry = item.startsWith('{') ? parsedObject(item) : null;
    return entry === null ? this.parser.read(item) : this.readEntry(entry);
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
      if (typeof text === 'string' && text !== '') return this.readWrapped(text);
    }
    return (this.mapped === FLUENT_BIT ? undefined : failed) ?? parsed;
  }

  private readWrapped(text: string): ParsedLine {
    const line = Buffer.from(text.trimEnd()).toString('latin1');
    const entry = line.startsWith('{') ? parsedObject(line) : null;
    return entry === null ? this.parser.read(line) : readEntry(entry);
  }
}

/** The object that a line holds; null for any other line. */
function parsedObject(line: string): Entry | null {
  try {
    return JSON.parse(NOT_ASCII.test(line) ? Buffer.from(line, 'latin1').toString('utf8') : line) as Entry;
  } catch {
    return null;
  }
}
