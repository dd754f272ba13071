import { jsonpath, type JSONValue } from 'json-p3';
import { parseCidr } from '#libs/agents';

/** A published list, read. */
export interface AddressList {
  /** CIDR blocks as they stand in the list, each once. */
  ranges: string[];
  /** Entries that are no address. */
  skipped: number;
}

export const MOST_RANGES = 100_000;

/** Wider blocks than any operator has: believing one would let everybody be that operator. */
const SHORTEST_PREFIX = { 4: 8, 6: 16 };

/**
 * Reads an address list in one of the formats that operators publish:
 *
 * - `json-prefixes`: `{"prefixes": [{"ipv4Prefix"} or {"ipv6Prefix"}]}`; also draft-illyes-webbotauth-jafar, a superset
 * - `json:` and JSONPath expressions (RFC 9535), separated by commas
 * - `text`: an address or block a line, `#` begins a comment
 * - `csv-geofeed`: RFC 8805, the block first
 * - `json`, `unknown`: whatever in a JSON document, or a line of text, is an address or block
 *
 * @throws {Error} that says what is wrong with it as a whole; single entries that are no address are skipped.
 */
export function readAddressList(body: string, format: string): AddressList {
  const ranges = new Set<string>();
  let skipped = 0;
  for (const entry of entriesOf(body, format)) {
    if (typeof entry === 'string' && parseCidr(entry.trim()) !== null) ranges.add(entry.trim());
    else skipped += 1;
    if (ranges.size > MOST_RANGES) throw new Error(`it has more than ${MOST_RANGES} ranges`);
  }
  if (ranges.size === 0) throw new Error(`it holds no address, read as ${format}`);
  for (const range of ranges) {
    const block = parseCidr(range)!;
    const shortest = SHORTEST_PREFIX[block.family];
    if (block.prefixLength < shortest) throw new Error(`it holds ${range}, which is wider than /${shortest}`);
  }
  return { ranges: [...ranges], skipped };
}

/** Why a list can't be what an operator means to publish after the one before; `null` when it can. */
export function absurdity(next: readonly string[], previous: readonly string[] | null): string | null {
  if (previous === null || next.length * 2 >= previous.length) return null;
  return `it shrank from ${previous.length} ranges to ${next.length}, by more than half`;
}

function entriesOf(body: string, format: string): unknown[] {
  if (format === 'json-prefixes') return prefixes(parsed(body));
  if (format.startsWith('json:')) return selected(parsed(body), format.slice('json:'.length));
  if (format === 'text') return lines(body);
  if (format === 'csv-geofeed') return lines(body).map((line) => line.split(',')[0]!);
  if (format !== 'json' && format !== 'unknown') throw new Error(`its format is not known: ${format}`);
  if (/^\s*[[{]/.test(body)) return texts(parsed(body)).filter((text) => parseCidr(text) !== null);
  if (/^\s*</.test(body)) throw new Error('it is a page instead of a list');
  return lines(body);
}

function parsed(body: string): JSONValue {
  try {
    return JSON.parse(body) as JSONValue;
  } catch (error) {
    throw new Error(`it is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** An object with both, or neither, kind of prefix is passed over, as the draft says. */
function prefixes(document: unknown): unknown[] {
  const list = (document as { prefixes?: unknown } | null)?.prefixes;
  if (!Array.isArray(list)) throw new Error('it has no array "prefixes"');
  return list.map((item: { ipv4Prefix?: unknown; ipv6Prefix?: unknown } | null) =>
    item?.ipv4Prefix !== undefined && item.ipv6Prefix !== undefined ? null : (item?.ipv4Prefix ?? item?.ipv6Prefix),
  );
}

/** Commas within brackets belong to the expression. */
function selected(document: JSONValue, expressions: string): unknown[] {
  return expressions.split(/,(?=\$)/).flatMap((expression) => jsonpath.query(expression, document).values());
}

const lines = (body: string): string[] =>
  body
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}
