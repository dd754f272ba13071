import { listedDirectoryUrl, parseCidr, readKeySet } from '#libs/agents';
import { readAddressList } from './address-list.js';

/**
 * Reads `KEY_DIRECTORIES_FILE`: a JSON object, from the address or origin of a key directory to its key set.
 *
 * @returns by the directory's normalized address.
 * @throws {Error} naming the address at fault.
 */
export function readKeyDirectoriesFile(text: string): Map<string, { keys: object[] }> {
  const directories = new Map<string, { keys: object[] }>();
  for (const [name, value] of membersOf(text)) {
    const url = listedDirectoryUrl(name);
    if (url === null) throw new Error(`${name} is no https address of a key directory`);
    const set = at(name, () => readKeySet(value));
    directories.set(url, { keys: [...set.values()].map(({ key }) => key.export({ format: 'jwk' }) as object) });
  }
  return directories;
}

/**
 * Reads `IP_LISTS_FILE`: a JSON object, from the address of a published list to an array of CIDR blocks, or to the
 * document as it is published there.
 *
 * @returns blocks by address, as the catalogue has it.
 * @throws {Error} naming the address at fault.
 */
export function readIpListsFile(text: string): Map<string, readonly string[]> {
  return new Map(membersOf(text).map(([url, value]) => [url, at(url, () => rangesOf(value))]));
}

function rangesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return readAddressList(value, 'unknown').ranges;
  const wrong = Array.isArray(value)
    ? value.find((item) => typeof item === 'string' && parseCidr(item) === null)
    : undefined;
  if (wrong !== undefined) throw new Error(`${JSON.stringify(wrong)} is no CIDR block`);
  return readAddressList(JSON.stringify(value), 'json').ranges;
}

function membersOf(text: string): [string, unknown][] {
  const document: unknown = JSON.parse(text);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new Error('it must be a JSON object with an address for each member');
  }
  return Object.entries(document);
}

function at<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}
