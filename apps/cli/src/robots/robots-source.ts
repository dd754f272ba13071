import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { readRobotsFile, type RobotsFile } from '#libs/robots';
import { trouble } from './robots-trouble.js';

/** A robots.txt that was read. */
export interface RobotsSource {
  /** The file, `standard input`, or the address that it came from in the end. */
  name: string;
  /** Without groups where there is none. */
  file: RobotsFile;
  /** The status with which the site said that it has none (RFC 9309 section 2.3.1.3). */
  missing: number | null;
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/**
 * Reads a robots.txt.
 *
 * @param from a file, `-` for standard input, or an address; one without a path is that of a site.
 * @param allowPrivate also of private networks, and at any port.
 * @throws CliError with exit code 2
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
  // Only here: what it stands on takes longer to load than a file to read.
  const { fetchRobots, robotsEgress } = await import('./robots-fetch.js');
  const { url: name, status, bytes } = await fetchRobots(url.href, robotsEgress(allowPrivate));
  return { name, file: readRobotsFile(bytes ?? new Uint8Array()), missing: bytes === null ? status : null };
}
