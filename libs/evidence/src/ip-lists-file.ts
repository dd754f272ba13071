import { cidr, parseCidr } from '#libs/agents';
import { sanityFault } from './address-list-sanity.js';
import { readAddressList } from './address-list.js';
import { readJsonObject } from './json-object.js';

/**
 * Reads `IP_LISTS_FILE`: a JSON object from the URL of a published list to what it holds, which is an array of CIDR
 * blocks and addresses, or the document as it was published (JSON, or text in a string).
 * @returns blocks by {@link listUrl}. @throws {TypeError} naming the URL at fault.
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

/** The form of a list's URL under which it is looked up; `null` when it isn't https. */
export function listUrl(text: string): string | null {
  const url = URL.parse(text);
  return url?.protocol === 'https:' ? url.href : null;
}

function rangesOf(list: unknown): string[] {
  if (typeof list === 'string') return readAddressList(list, 'unknown').ranges;
  if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'string')) {
    return readAddressList(JSON.stringify(list), 'json').ranges;
  }
  // Somebody wrote this by hand: what can't be read is a mistake.
  const blocks = (list as string[]).map((entry) => {
    const block = parseCidr(entry.trim());
    if (block === null) throw new TypeError(`not a CIDR block: ${entry}`);
    return cidr(block);
  });
  return [...new Set(blocks)];
}
