import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { readRobotsFile, type RobotsFile } from '#libs/robots';
import { trouble } from './robots-trouble.js';

export interface RobotsSource {
  /** File name, `standard input`, or the final URL. */
  name: string;
  /** Has no groups if there is no robots.txt. */
  file: RobotsFile;
  /** Status of the response if the site has no robots.txt (RFC 9309, section 2.3.1.3). Otherwise null. */
  missing: number | null;
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/**
 * Reads a robots.txt.
 *
 * @param from File, `-` for standard input, or URL. `/robots.txt` is the default path of a URL.
 * @param allowPrivate true to allow private networks and any port.
 * @throws CliError with exit code 2 if it can't be read.
 */
export async function readRobots(from: string, allowPrivate: boolean): Promise<RobotsSource> {
  if (!isUrl(from)) {
    const bytes = await (from === '-' ? buffer(process.stdin) : readFile(from)).catch((error: Error) => {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      throw trouble(
        `Can't read ${from}: ${error.message}`,
        isMissing ? 'The address of a site starts with https://.' : undefined,
      );
    });
    return { name: from === '-' ? 'standard input' : from, file: readRobotsFile(bytes), missing: null };
  }
  const url = URL.parse(from);
  if (url === null) throw trouble(`Not an address: ${from}`);
  if (url.pathname === '/' && url.search === '') url.pathname = '/robots.txt';
  url.hash = '';
  // Loaded on demand, because it's slow to load.
  const { fetchRobots, robotsEgress } = await import('./robots-fetch.js');
  const { url: name, status, bytes } = await fetchRobots(url.href, robotsEgress(allowPrivate));
  return { name, file: readRobotsFile(bytes ?? new Uint8Array()), missing: bytes === null ? status : null };
}
