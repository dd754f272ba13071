import { toListedDirectoryUrl, parseKeySet } from '#libs/agents';
import { readJsonObject } from './json-object.js';

/**
 * Parses `KEY_DIRECTORIES_FILE`, a JSON object that maps origins or full URLs to the key sets of key directories.
 *
 * @returns Key sets as JSON, by normalized directory URL.
 * @throws {TypeError} if a key set is invalid. The message contains its URL.
 */
export function readKeyDirectoriesFile(text: string): Map<string, string> {
  const directories = new Map<string, string>();
  for (const [name, keySet] of readJsonObject(text, 'key directories')) {
    const url = toListedDirectoryUrl(name);
    if (url === null) throw new TypeError(`key directories: not an https URL: ${name}`);
    if (directories.has(url)) throw new TypeError(`key directories: ${name}: ${url} is listed more than once`);
    const json = typeof keySet === 'string' ? keySet : JSON.stringify(keySet);
    try {
      if (parseKeySet(json).size === 0) throw new TypeError('it contains no usable keys');
    } catch (error) {
      throw new TypeError(`key directories: ${name}: ${(error as Error).message}`, { cause: error });
    }
    directories.set(url, json);
  }
  return directories;
}
