import type { SampleOptions } from './sender.js';
import { toBearerHeader } from './guide-text.js';

export const SAMPLE_PATH = '/agent-traffic-drain-test';

export const SAMPLE = {
  userAgent: 'agent-traffic-drain-test/1.0',
  client: '203.0.113.7',
  host: 'www.example.com',
} as const;

export const JSON_HEADERS = { 'content-type': 'application/json' };

/** Creates a log line for a page and one for a static file. By default, drains skip static files. */
export const createSampleLines = (createLine: (path: string) => object): object[] =>
  [SAMPLE_PATH, `${SAMPLE_PATH}.png`].map(createLine);

export const toNdjson = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

export const createJsonHeaders = (options: SampleOptions): Record<string, string> => ({
  authorization: toBearerHeader(options),
  ...JSON_HEADERS,
});

/** Returns the time in seconds since the epoch, with a fraction. */
export const toEpochSeconds = (time: Date): number => time.getTime() / 1_000;

/** Returns random hex digits, 32 at most. */
export const randomHex = (digits: number): string => crypto.randomUUID().replaceAll('-', '').slice(0, digits);

export const formatCombinedLine = (now: Date, path: string): string =>
  `${SAMPLE.client} - - [${formatApacheTime(now)}] "GET ${path} HTTP/1.1" 200 5 "-" "${SAMPLE.userAgent}"`;

/** Formats a time in the Apache log format: `21/Nov/2026:08:30:00 +0000`. */
function formatApacheTime(time: Date): string {
  const [, day, month, year, clock] = /(\d\d) (\w{3}) (\d{4}) ([\d:]+)/.exec(time.toUTCString())!;
  return `${day}/${month}/${year}:${clock} +0000`;
}
