import { cidr, parseCidr } from '#libs/agents';
import { sanityFault } from './address-list-sanity.js';
import { readAddressList } from './address-list.js';
import { readJsonObject } from './json-object.js';

/**
 * Reads `IP_LISTS_FILE`: a JSON object with the content of published lists by URL. The content is either an array of
 * CIDR blocks and addresses, or the published document (JSON, or text in a string).
 *
 * @returns Blocks by {@link listUrl}.
 * @throws {TypeError} with the URL of the invalid list.
 */
export function readIpListsFile(text: string): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [name, list] of readJsonObject(text, 'address lists')) {
    const url = listUrl(name);
    if (url === null) throw new TypeError(`address lists: not an https URL: ${name}`);
    if (lists.has(url)) throw new TypeError(`address lists: ${name}: ${url} is there twice`);
    try {
      const ranges = rangesOf(list);
      const reason = sanityFault(ranges, []);
      if (reason !== null) throw new TypeError(reason);
      lists.set(url, ranges);
    } catch (error) {
      throw new TypeError(`address lists: ${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  return lists;
}

/** Returns the normalized URL by which a list is looked up; `null` if it isn't https. */
export function listUrl(text: string): string | null {
  const url = URL.parse(text);
  return url?.protocol === 'https:' ? url.href : null;
}

function rangesOf(list: unknown): string[] {
  if (typeof list === 'string') return readAddressList(list, 'unknown').ranges;
  if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'string')) {
    return readAddressList(JSON.stringify(list), 'json').ranges;
  }
  // Arrays are written by hand, so an invalid entry is a mistake.
  const blocks = (list as string[]).map((entry) => {
    const block = parseCidr(entry.trim());
    if (block === null) throw new TypeError(`not a CIDR block: ${entry}`);
    return cidr(block);
  });
  return [...new Set(blocks)];
}
