import { formatCidr, parseCidr } from '#libs/agents';
import { findSanityFault } from './address-list-sanity.js';
import { readAddressList } from './address-list.js';
import { readJsonObject } from './json-object.js';

/**
 * Parses `IP_LISTS_FILE`, a JSON object that maps URLs to the content of published lists. The content is either an
 * array of CIDR blocks and addresses, or the published document itself (JSON, or text as a string).
 *
 * @returns CIDR blocks by {@link normalizeListUrl}.
 * @throws {TypeError} if a list is invalid. The message contains its URL.
 */
export function readIpListsFile(text: string): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [name, list] of readJsonObject(text, 'address lists')) {
    const url = normalizeListUrl(name);
    if (url === null) throw new TypeError(`address lists: not an https URL: ${name}`);
    if (lists.has(url)) throw new TypeError(`address lists: ${name}: ${url} is listed more than once`);
    try {
      const ranges = parseRanges(list);
      const reason = findSanityFault(ranges, []);
      if (reason !== null) throw new TypeError(reason);
      lists.set(url, ranges);
    } catch (error) {
      throw new TypeError(`address lists: ${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  return lists;
}

/** Returns the normalized URL used as the list's key, or null if it isn't https. */
export function normalizeListUrl(text: string): string | null {
  const url = URL.parse(text);
  return url?.protocol === 'https:' ? url.href : null;
}

function parseRanges(list: unknown): string[] {
  if (typeof list === 'string') return readAddressList(list, 'unknown').ranges;
  if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'string')) {
    return readAddressList(JSON.stringify(list), 'json').ranges;
  }
  // Arrays are written by hand, so an invalid entry is a mistake.
  const blocks = (list as string[]).map((entry) => {
    const block = parseCidr(entry.trim());
    if (block === null) throw new TypeError(`not a CIDR block: ${entry}`);
    return formatCidr(block);
  });
  return [...new Set(blocks)];
}
