import { cidr, parseCidr } from '#libs/agents';
import { readAddressPaths, valuesAt, type AddressPath } from '#libs/catalog';

interface AddressList {
  /** CIDR blocks in canonical form, e.g. `192.0.2.1/32`, without duplicates and in list order. */
  ranges: string[];
  /** Number of entries that aren't addresses or CIDR blocks. */
  skipped: number;
}

/**
 * Parses a published list of addresses and CIDR blocks.
 *
 * @param format one of these, as in the catalog:
 * - `json-prefixes`: Google's `{"prefixes":[{"ipv4Prefix"|"ipv6Prefix"}]}` and its superset
 *   draft-illyes-webbotauth-jafar
 * - `json:` followed by JSONPath expressions; see `readAddressPaths`
 * - `json`: every string in the document that is an address
 * - `csv-geofeed`: RFC 8805
 * - `text`: addresses separated by whitespace or commas; comments start with `#`, `;` or `//`
 * - `unknown`: detected from the content
 * @throws {TypeError} describing the problem.
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

function refuseHtml(text: string): void {
  if (/^\s*</.test(text)) throw new TypeError('it is a web page or XML, not a list');
}

function* prefixesOf(document: unknown): Generator<unknown> {
  const prefixes = isObject(document) ? document['prefixes'] : undefined;
  if (!Array.isArray(prefixes)) throw new TypeError('it has no array named "prefixes"');
  for (const entry of prefixes as unknown[]) {
    const { ipv4Prefix, ipv6Prefix } = isObject(entry) ? entry : {};
    // An entry must have exactly one of the two. Others count as skipped.
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

function lines(text: string): string[] {
  const bare = text.split(/\r\n?|\n/).map((line) => line.replace(/(?:[#;]|\/\/).*$/s, '').trim());
  return bare.filter((line) => line !== '');
}

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

/** Rejects a list in which most entries aren't addresses: it's probably something else. */
function mostly(list: AddressList): AddressList {
  const { ranges, skipped } = list;
  if (skipped > ranges.length)
    throw new TypeError(`${skipped} of its ${skipped + ranges.length} entries are not addresses`);
  return list;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
