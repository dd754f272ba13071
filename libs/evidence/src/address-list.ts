import { cidr, parseCidr } from '#libs/agents';
import { readAddressPaths, valuesAt, type AddressPath } from '#libs/catalog';

/** What a published list holds. */
interface AddressList {
  /** CIDR blocks in canonical form, e.g. `192.0.2.1/32`: each once, in the order of the list. */
  ranges: string[];
  /** Entries that are not addresses. */
  skipped: number;
}

/**
 * Reads a published list of addresses and CIDR blocks.
 *
 * @param format as in the catalog: `json-prefixes` (Google's `{"prefixes":[{"ipv4Prefix"|"ipv6Prefix"}]}`, and its
 *   superset draft-illyes-webbotauth-jafar), `text` (one a line, comments after `#`, `;` or `//`), `csv-geofeed`
 *   (RFC 8805), `json:` and JSONPath expressions as `readAddressPaths` takes them; `json` and `unknown` go by what it
 *   looks like.
 * @throws {TypeError} saying what is wrong, and where.
 */
export function readAddressList(body: string, format: string): AddressList {
  const text = body.replace(/^\uFEFF/, '');
  if (format === 'json-prefixes') return collect(prefixesOf(json(text)));
  if (format.startsWith('json:')) return mostly(collect(selected(json(text), format.slice('json:'.length))));
  if (format === 'csv-geofeed') return mostly(collect(firstColumn(text)));
  if (format === 'text') return mostly(collect(words(text)));
  if (format === 'json') return collect(anyAddress(json(text)));
  if (format === 'unknown') return byShape(text);
  throw new TypeError(`unknown format of an address list: ${format}`);
}

function byShape(text: string): AddressList {
  if (/^\s*[[{"]/.test(text)) return collect(anyAddress(json(text)));
  const isGeofeed = /^[ \t]*[\da-f.:]+(?:\/\d+)?,[A-Za-z]{0,2},/m.test(text);
  return mostly(collect(isGeofeed ? firstColumn(text) : words(text)));
}

function json(text: string): unknown {
  refuseHtml(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`it is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** A page about the list, or one that says that there is none. */
function refuseHtml(text: string): void {
  if (/^\s*</.test(text)) throw new TypeError('it is a web page or XML, not a list');
}

function* prefixesOf(document: unknown): Generator<unknown> {
  const prefixes = isObject(document) ? document['prefixes'] : undefined;
  if (!Array.isArray(prefixes)) throw new TypeError('it has no array named "prefixes"');
  for (const entry of prefixes as unknown[]) {
    const { ipv4Prefix, ipv6Prefix } = isObject(entry) ? entry : {};
    // One with both, or neither, is to be ignored.
    yield ipv4Prefix === undefined ? ipv6Prefix : ipv6Prefix === undefined ? ipv4Prefix : null;
  }
}

function* selected(document: unknown, source: string): Generator<unknown> {
  for (const path of pathsOf(source)) yield* valuesAt(document, path);
}

function pathsOf(source: string): AddressPath[] {
  try {
    return readAddressPaths(source);
  } catch (error) {
    throw new TypeError(`JSONPath ${source} ${(error as Error).message}`, { cause: error });
  }
}

function* firstColumn(text: string): Generator<unknown> {
  refuseHtml(text);
  for (const line of lines(text)) yield line.split(',', 1)[0]!.replaceAll('"', '').trim();
}

function* words(text: string): Generator<unknown> {
  refuseHtml(text);
  for (const line of lines(text)) yield* line.split(/[\s,]+/).filter((word) => word !== '');
}

/** Those with something on them, without comments. */
function lines(text: string): string[] {
  const bare = text.split(/\r\n?|\n/).map((line) => line.replace(/(?:[#;]|\/\/).*$/s, '').trim());
  return bare.filter((line) => line !== '');
}

/** Every text anywhere in it that is an address; other texts are something else, and no fault. */
function* anyAddress(document: unknown): Generator<unknown> {
  const left: unknown[] = [document];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') {
      if (parseCidr(value.trim()) !== null) yield value;
    } else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value).toReversed()) left.push(member);
    }
  }
}

function collect(entries: Iterable<unknown>): AddressList {
  const ranges = new Set<string>();
  let skipped = 0;
  for (const entry of entries) {
    const block = typeof entry === 'string' ? parseCidr(entry.trim()) : null;
    if (block === null) skipped += 1;
    else ranges.add(cidr(block));
  }
  return { ranges: [...ranges], skipped };
}

/** Where every entry should be an address, a list with more of anything else is not an address list. */
function mostly(list: AddressList): AddressList {
  const { ranges, skipped } = list;
  if (skipped > ranges.length)
    throw new TypeError(`${skipped} of its ${skipped + ranges.length} entries are not addresses`);
  return list;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
