import type { SampleOptions } from './sender.js';
import { bearer } from './guide-text.js';

export const SAMPLE_PATH = '/agent-traffic-drain-test';

export const SAMPLE = {
  userAgent: 'agent-traffic-drain-test/1.0',
  client: '203.0.113.7',
  host: 'www.example.com',
} as const;

export const JSON_TYPE = { 'content-type': 'application/json' };

/** Returns one line for a page and one for a static file, which is left out by default. */
export const sampleLines = (lineOf: (path: string) => object): object[] =>
  [SAMPLE_PATH, `${SAMPLE_PATH}.png`].map(lineOf);

export const ndjson = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

export const bearerJson = (options: SampleOptions): Record<string, string> => ({
  authorization: bearer(options),
  ...JSON_TYPE,
});

/** Converts a time to seconds since the epoch. */
export const secondsOf = (time: Date): number => time.getTime() / 1_000;

/** Returns up to 32 random hex digits. */
export const randomHex = (digits: number): string => crypto.randomUUID().replaceAll('-', '').slice(0, digits);

export const combinedLine = (now: Date, path: string): string =>
  `${SAMPLE.client} - - [${apacheTime(now)}] "GET ${path} HTTP/1.1" 200 5 "-" "${SAMPLE.userAgent}"`;

/** Formats a time as `21/Nov/2026:08:30:00 +0000`. */
function apacheTime(time: Date): string {
  const [, day, month, year, clock] = /(\d\d) (\w{3}) (\d{4}) ([\d:]+)/.exec(time.toUTCString())!;
  return `${day}/${month}/${year}:${clock} +0000`;
}
