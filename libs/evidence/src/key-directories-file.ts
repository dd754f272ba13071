import { listedDirectoryUrl, readKeySet } from '#libs/agents';
import { readJsonObject } from './json-object.js';

/**
 * Reads `KEY_DIRECTORIES_FILE`: a JSON object with the key sets of key directories, by origin or full URL.
 *
 * @returns Key sets as JSON, by normalized URL of the directory.
 * @throws {TypeError} with the URL of the invalid directory.
 */
export function readKeyDirectoriesFile(text: string): Map<string, string> {
  const directories = new Map<string, string>();
  for (const [name, keySet] of readJsonObject(text, 'key directories')) {
    const url = listedDirectoryUrl(name);
    if (url === null) throw new TypeError(`key directories: not the https URL of a directory: ${name}`);
    if (directories.has(url)) throw new TypeError(`key directories: ${name}: ${url} is there twice`);
    const json = typeof keySet === 'string' ? keySet : JSON.stringify(keySet);
    try {
      if (readKeySet(json).size === 0) throw new TypeError('it has no key that can be used');
    } catch (error) {
      throw new TypeError(`key directories: ${name}: ${(error as Error).message}`, { cause: error });
    }
    directories.set(url, json);
  }
  return directories;
}
