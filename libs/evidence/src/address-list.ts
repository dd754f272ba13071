import { formatCidr, parseCidr } from '#libs/agents';
import { parseAddressPaths, evaluateAddressPath, type AddressPath } from '#libs/catalog';

interface AddressList {
  /** CIDR blocks in canonical form, such as `192.0.2.1/32`. In list order, without duplicates. */
  ranges: string[];
  /** Number of entries that aren't addresses or CIDR blocks. */
  skipped: number;
}

/**
 * Parses a published list of addresses and CIDR blocks.
 *
 * @param format A format name from the catalog:
 * - `json-prefixes`: Google's `{"prefixes":[{"ipv4Prefix"|"ipv6Prefix"}]}` and its superset
 *   draft-illyes-webbotauth-jafar
 * - `json:` followed by JSONPath expressions, as supported by `parseAddressPaths`
 * - `json`: every string in the document that is an address
 * - `csv-geofeed`: RFC 8805
 * - `text`: addresses separated by whitespace or commas, with comments that start with `#`, `;` or `//`
 * - `unknown`: detected from the content
 * @throws {TypeError} if the format is unknown or the content doesn't match it.
 */
export function readAddressList(body: string, format: string): AddressList {
  const text = body.replace(/^\uFEFF/, '');
  if (format === 'json-prefixes') return collect(iteratePrefixes(parseJson(text)));
  if (format.startsWith('json:'))
    return requireMostlyAddresses(collect(selectByPaths(parseJson(text), format.slice('json:'.length))));
  if (format === 'csv-geofeed') return requireMostlyAddresses(collect(iterateFirstColumn(text)));
  if (format === 'text') return requireMostlyAddresses(collect(iterateWords(text)));
  if (format === 'json') return collect(findAddresses(parseJson(text)));
  if (format === 'unknown') return parseUnknownFormat(text);
  throw new TypeError(`unknown address list format: ${format}`);
}

function parseUnknownFormat(text: string): AddressList {
  if (/^\s*[[{"]/.test(text)) return collect(findAddresses(parseJson(text)));
  const isGeofeed = /^[ \t]*[\da-f.:]+(?:\/\d+)?,[A-Za-z]{0,2},/m.test(text);
  return requireMostlyAddresses(collect(isGeofeed ? iterateFirstColumn(text) : iterateWords(text)));
}

function parseJson(text: string): unknown {
  rejectHtml(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`it is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function rejectHtml(text: string): void {
  if (/^\s*</.test(text)) throw new TypeError('it is a web page or XML, not a list');
}

function* iteratePrefixes(document: unknown): Generator<unknown> {
  const prefixes = isObject(document) ? document['prefixes'] : undefined;
  if (!Array.isArray(prefixes)) throw new TypeError('it has no "prefixes" array');
  for (const entry of prefixes as unknown[]) {
    const { ipv4Prefix, ipv6Prefix } = isObject(entry) ? entry : {};
    // An entry must have exactly one of the two prefixes. Other entries count as skipped.
    yield ipv4Prefix === undefined ? ipv6Prefix : ipv6Prefix === undefined ? ipv4Prefix : null;
  }
}

function* selectByPaths(document: unknown, source: string): Generator<unknown> {
  for (const path of parsePaths(source)) yield* evaluateAddressPath(document, path);
}

function parsePaths(source: string): AddressPath[] {
  try {
    return parseAddressPaths(source);
  } catch (error) {
    throw new TypeError(`JSONPath ${source} ${(error as Error).message}`, { cause: error });
  }
}

function* iterateFirstColumn(text: string): Generator<unknown> {
  rejectHtml(text);
  for (const line of toLines(text)) yield line.split(',', 1)[0]!.replaceAll('"', '').trim();
}

function* iterateWords(text: string): Generator<unknown> {
  rejectHtml(text);
  for (const line of toLines(text)) yield* line.split(/[\s,]+/).filter((word) => word !== '');
}

function toLines(text: string): string[] {
  const stripped = text.split(/\r\n?|\n/).map((line) => line.replace(/(?:[#;]|\/\/).*$/s, '').trim());
  return stripped.filter((line) => line !== '');
}

function* findAddresses(document: unknown): Generator<unknown> {
  const pending: unknown[] = [document];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') {
      if (parseCidr(value.trim()) !== null) yield value;
    } else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value).toReversed()) pending.push(member);
    }
  }
}

function collect(entries: Iterable<unknown>): AddressList {
  const ranges = new Set<string>();
  let skipped = 0;
  for (const entry of entries) {
    const block = typeof entry === 'string' ? parseCidr(entry.trim()) : null;
    if (block === null) skipped += 1;
    else ranges.add(formatCidr(block));
  }
  return { ranges: [...ranges], skipped };
}

/** Rejects a list if most of its entries aren't addresses. Such a document probably isn't an address list. */
function requireMostlyAddresses(list: AddressList): AddressList {
  const { ranges, skipped } = list;
  if (skipped > ranges.length)
    throw new TypeError(`${skipped} of its ${skipped + ranges.length} entries are not addresses`);
  return list;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
