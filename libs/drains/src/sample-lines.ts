import type { SampleOptions } from './sender.js';
import { bearer } from './guide-text.js';

/** Path that samples request. */
export const SAMPLE_PATH = '/agent-traffic-drain-test';

/** Request that samples describe, apart from its path. */
export const SAMPLE = {
  userAgent: 'agent-traffic-drain-test/1.0',
  client: '203.0.113.7',
  host: 'www.example.com',
} as const;

export const JSON_TYPE = { 'content-type': 'application/json' };

/** Returns two lines: a page, and a static file, which is left out by default. */
export const sampleLines = (lineOf: (path: string) => object): object[] =>
  [SAMPLE_PATH, `${SAMPLE_PATH}.png`].map(lineOf);

export const ndjson = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Returns the headers of JSON with a bearer token. */
export const bearerJson = (options: SampleOptions): Record<string, string> => ({
  authorization: bearer(options),
  ...JSON_TYPE,
});

/** Returns seconds since the epoch. */
export const secondsOf = (time: Date): number => time.getTime() / 1_000;

/** Returns random hex digits, 32 at most. */
export const randomHex = (digits: number): string => crypto.randomUUID().replaceAll('-', '').slice(0, digits);

/** Returns a line of the combined log format. */
export const combinedLine = (now: Date, path: string): string =>
  `${SAMPLE.client} - - [${apacheTime(now)}] "GET ${path} HTTP/1.1" 200 5 "-" "${SAMPLE.userAgent}"`;

/** Formats a time as `21/Nov/2026:08:30:00 +0000`. */
function apacheTime(time: Date): string {
  const [, day, month, year, clock] = /(\d\d) (\w{3}) (\d{4}) ([\d:]+)/.exec(time.toUTCString())!;
  return `${day}/${month}/${year}:${clock} +0000`;
}
