import * as fc from 'fast-check';
import { VISIT_LIMITS } from '#libs/contracts';
import { generateLog } from '../../../test/log-generator.js';
import { MAX_LINE_LENGTH } from './limits.js';
import { APACHE_FORMATS, parseLine } from './line-parser.js';
import { readLine, readPlainLine } from './plain-line.js';

const COMBINED =
  '192.0.2.7 - frank [17/May/2015:10:05:03 +0000] "GET /a?b=c HTTP/1.1" 200 2326 "https://example.com/" "Bot/1.0"';

/** Generates a field. Most values are common in logs, but some are unusual or random. */
const field = (common: string[], unusual: string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...common) },
    { weight: 1, arbitrary: fc.constantFrom(...unusual) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 12 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }).map(latin1) },
  );

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

const quoted = field(
  ['-', 'https://example.com/?a=b', 'Mozilla/5.0 (compatible; Bot/1.0)', '', 'a  b', '[x]'],
  ['say \\"hi\\"', 'say "hi"!', 'back\\\\', '\\x22', '\\xd0\\x9f', latin1('Тест'), 'caf\xe9', ' a ', '\u00a0a', 'a\tb'],
);
const GAPS = ['', '  ', '\t', ' \t', '\u00a0'];
const line = fc
  .tuple(
    field(['192.0.2.7', '2001:db8::1', 'crawl.example.net', '-'], ['', 'a.example:80 192.0.2.7', '[x', '192.0.2.07']),
    field(['-', 'ident'], ['', '- -', '[17/May/2015:10:05:03']),
    field(['-', 'frank', 'f\\x'], ['', 'John F Doe', '+0000]', '[17/May/2015:10:05:03 +0000]', '"GET', '\u00a0']),
    field(
      ['[17/May/2015:10:05:03 +0000]', '[29/Feb/2024:23:59:59 -0330]', '[01/Jan/0001:00:00:00 +1400]'],
      [
        '[31/Feb/2024:00:00:00 +0000]',
        '[17/May/2015:24:00:00 +0000]',
        '[17/May/2015:23:60:00 +0000]',
        '[17/May/2015:23:59:60 +0000]',
        '[17/May/2015:10:05:03 +2400]',
        '[17/May/2015:10:05:03 +0060]',
        '[17/Mai/2015:10:05:03 +0000]',
        '[1/May/2015]',
      ],
    ),
    field(
      ['"GET /a?b=c HTTP/1.1"', '"POST / HTTP/2"', '"HEAD /%20[]~ HTTP/1.0"'],
      [
        '"GET http://a.example/b HTTP/1.1"',
        '"GET /a b HTTP/1.1"',
        '"GET /old"',
        '"-"',
        '"get / HTTP/1.1"',
        '"OPTIONS * HTTP/1.1"',
        '"GET / HTTP/1.1 HTTP/1.1"',
        `"GET /${latin1('é')} HTTP/1.1"`,
        `"GET /${'a'.repeat(VISIT_LIMITS.pathLength)} HTTP/1.1"`,
        `"${'A'.repeat(33)} / HTTP/1.1"`,
      ],
    ),
    field(['200', '404', '-'], ['2000', '20', 'x', '']),
    field(['2326', '0', '-', '007'], ['1'.repeat(30), '-1', '1.5', '']),
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('"-"', '"https://site.example/"') },
      { weight: 2, arbitrary: quoted.map((text) => `"${text}"`) },
    ),
    fc.oneof(
      { weight: 8, arbitrary: quoted.map((text) => `"${text}"`) },
      { weight: 1, arbitrary: fc.constantFrom('"cut', '-', 'Bot/1.0') },
    ),
    fc.option(field(['"203.0.113.9, 10.0.0.1"', '"-"', '" ::1 "'], ['"x"', '0.012', '"cut', '"a" "b"']), {
      nil: undefined,
    }),
    fc.array(fc.tuple(fc.nat({ max: 40 }), fc.constantFrom(...GAPS)), { maxLength: 1 }),
    fc.constantFrom('', '', '', '', ' ', '\r'),
  )
  .map((parts) => {
    const gaps = parts.at(-1) as string;
    const unusual = parts.at(-2) as [number, string][];
    const fields = parts.slice(0, -2).filter((part): part is string => part !== undefined);
    return (
      fields.reduce((text, part, index) => {
        const gap = unusual.find(([position]) => position === index - 1)?.[1] ?? ' ';
        return index === 0 ? part : `${text}${gap}${part}`;
      }) + gaps
    );
  });

it('agrees with the general parser on common and unusual lines', () => {
  let plain = 0;
  let others = 0;
  const property = fc.property(line, fc.constantFrom(...APACHE_FORMATS), fc.boolean(), (text, format, finished) => {
    expect(readLine(text, format, finished)).toEqual(parseLine(text, format, finished));
    const read = readPlainLine(text);
    if (read === null) others += 1;
    else {
      plain += 1;
      expect({ line: read }).toEqual(parseLine(text));
    }
  });
  fc.assert(property, { numRuns: 10_000, seed: 15 });
  expect(Math.min(plain, others)).toBeGreaterThan(1_500);
});

it('agrees with the general parser on an entire log', () => {
  const lines = latin1(generateLog({ lines: 3_000, seed: 5, unreadableEvery: 50 }).text)
    .trimEnd()
    .split('\n');
  expect(lines.map((text) => readLine(text, 'auto', true))).toEqual(lines.map((text) => parseLine(text)));
  expect(lines.filter((text) => readPlainLine(text) !== null).length).toBeGreaterThan(300);
});

it.each([
  ['combined', COMBINED],
  ['combined with X-Forwarded-For', `${COMBINED} "203.0.113.9, 10.0.0.1"`],
  ['IPv6', COMBINED.replace('192.0.2.7', '2001:db8::1')],
  ['missing values', '192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" - - "-" "-"'],
])('uses the fast path for %s', (_, text) => {
  expect({ line: readPlainLine(text) }).toEqual(parseLine(text));
});

it.each([
  ['a virtual host', `a.example ${COMBINED}`],
  ['an escape', COMBINED.replace('Bot', '\\x22')],
  ['non-ASCII text', COMBINED.replace('Bot', latin1('Тест'))],
  ["a day that doesn't exist", COMBINED.replace('17/May', '31/Feb')],
  ['a line that is too long', COMBINED.replace('Bot', 'x'.repeat(MAX_LINE_LENGTH))],
])('falls back to the general parser for %s', (_, text) => {
  expect(readPlainLine(text)).toBeNull();
});
