import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { parseRobotsFile, type RobotsFile } from '#libs/robots';
import { robotsError } from './robots-error.js';

export interface RobotsSource {
  /** File name, `standard input`, or the URL after redirects. */
  name: string;
  /** Parsed file, without any groups if the site has no robots.txt. */
  file: RobotsFile;
  /** Response status if the site has no robots.txt (RFC 9309, section 2.3.1.3), otherwise null. */
  missing: number | null;
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/**
 * Reads a robots.txt from a file, standard input or a URL.
 *
 * @param from File name, `-` for standard input, or a URL. The default path in a URL is `/robots.txt`.
 * @param allowPrivate True to allow private networks and any port.
 * @throws {CliError} with exit code 2 if the robots.txt can't be read.
 */
export async function readRobots(from: string, allowPrivate: boolean): Promise<RobotsSource> {
  if (!isUrl(from)) {
    const bytes = await (from === '-' ? buffer(process.stdin) : readFile(from)).catch((error: Error) => {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      throw robotsError(
        `Can't read ${from}: ${error.message}`,
        isMissing ? 'A URL must start with https:// or http://.' : undefined,
      );
    });
    return { name: from === '-' ? 'standard input' : from, file: parseRobotsFile(bytes), missing: null };
  }
  const url = URL.parse(from);
  if (url === null) throw robotsError(`Invalid URL: ${from}`);
  if (url.pathname === '/' && url.search === '') url.pathname = '/robots.txt';
  url.hash = '';
  // Imported lazily because it loads slowly.
  const { fetchRobots, robotsEgress } = await import('./robots-fetch.js');
  const { url: name, status, bytes } = await fetchRobots(url.href, robotsEgress(allowPrivate));
  return { name, file: parseRobotsFile(bytes ?? new Uint8Array()), missing: bytes === null ? status : null };
}
