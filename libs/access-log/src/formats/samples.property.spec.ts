import * as fc from 'fast-check';
import { findVisitFault } from '#libs/contracts';
import { measureGrowth, MAX_GROWTH } from '../../../../test/kit/cost.js';
import { isFullRun } from '../../../../test/kit/faults.js';
import { readSampleLines } from '../../../../test/kit/log-samples.js';
import { MAX_LINE_LENGTH } from '../limits.js';
import type { LogLine } from '../log-line.js';
import { LogParser } from '../log-parser.js';
import { toVisit } from '../log-visit.js';
import { decodeUtf8, unescapeField } from '../quoted-field.js';
import { LOG_FORMATS } from './formats.js';

const SEED = 20_261_124;
/** Number of damaged lines to test per format. */
const DAMAGED_LINES = isFullRun ? 10_000 : 300;

const samples = LOG_FORMATS.map((format) => [format.name, format, readSampleLines(format)] as const);

const HOSTILE = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  '\t',
  '%',
  '%25',
  '\\u0000',
  '\\x',
  ',',
  '-1',
  '1e999',
  'null',
  '__proto__',
];

/** Change to a line, as caused by corruption, truncation or an attacker who controls part of it. */
const mutation = fc.record({
  // fc.double mostly generates values close to 0.
  at: fc.nat(9_999).map((position) => position / 10_000),
  bytes: fc.nat(20),
  text: fc.oneof(
    // Preserves the syntax, so only a field's value is damaged.
    { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom(...'0123456789abcxyzGT./:- _'), maxLength: 4 }) },
    { weight: 1, arbitrary: fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 8 }) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
  ),
  how: fc.constantFrom('replace', 'insert', 'remove', 'cut', 'double'),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(line: string, { at, bytes, text, how }: Mutation): string {
  const start = Math.floor(at * line.length);
  const [before, after] = [line.slice(0, start), line.slice(start)];
  if (how === 'cut') return before;
  if (how === 'double') return before + after + after;
  if (how === 'remove') return before + after.slice(bytes);
  return before + text + after.slice(how === 'insert' ? 0 : text.length);
}

/** Decodes a line in every way that formats do. The result has one character per byte, and spaces instead of `+`. */
function decodeAll(text: string): string {
  // nginx without `escape=json` writes `\xNN`.
  const json = decodeUtf8(text.slice(text.indexOf('{'))).replaceAll('\\x', '\\u00');
  const strings = collectStrings(parseJson(json));
  const decodedText = [text, unescapeField(text), ...strings.flatMap((each) => [each, utf8(each)])];
  return decodedText
    .flatMap((each) => [each, decodePercent(each), decodePercent(decodePercent(each)), each.replaceAll('%25', '%')])
    .join('\n')
    .replaceAll('+', ' ');
}

const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** Returns true if the text contains the part unchanged, as UTF-8 bytes, or with some percent signs escaped. */
const includesPart = (decodedText: string, part: string): boolean =>
  [part, utf8(part), part.replaceAll('%25', '%')].some((each) => decodedText.includes(each.replaceAll('+', ' ')));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const collectStrings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectStrings) : [];
};

const decodePercent = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => decodeUtf8(unescapeField(escapes.replaceAll('%', '\\x'))));

/** Returns the parts of a visit that its line must contain verbatim. A path and its query may be separate fields. */
const verbatimParts = ({ client, method, path, userAgent }: LogLine): string[] => [
  client,
  method,
  ...path.replace(/^\//, '').split('?'),
  ...(userAgent === undefined ? [] : [userAgent]),
];

describe.each(samples)('%s', (_, format, lines) => {
  it('reads only visits whose values appear in the damaged line', () => {
    let visits = 0;
    fc.assert(
      fc.property(fc.nat(lines.length - 1), fc.array(mutation, { minLength: 1, maxLength: 3 }), (index, mutations) => {
        const headers = lines.slice(0, index).filter((line) => line.startsWith('#'));
        const text = mutations.reduce(mutate, lines[index]!);
        for (const reader of [new LogParser(format), new LogParser()]) {
          for (const line of headers) reader.read(line);
          const outcome = reader.read(text);
          if (!('line' in outcome)) continue;
          visits += 1;
          expect(findVisitFault(toVisit(outcome.line), { mayBeTooLarge: true })).toBeNull();
          expect(outcome.line.method).toMatch(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}$/);
          expect(outcome.line.path).not.toBe('');
          if (format.kind === 'json' && outcome.line.method !== 'CONNECT')
            expect(outcome.line.path).toMatch(/^(?:\/|\*$)/);
          expect(outcome.line.client).toMatch(/^[\w.:%-]+$/);
          const decodedText = decodeAll(text);
          expect(verbatimParts(outcome.line).filter((part) => !includesPart(decodedText, part))).toEqual([]);
        }
      }),
      { numRuns: DAMAGED_LINES, seed: SEED },
    );
    expect(visits).toBeGreaterThan(DAMAGED_LINES / 10);
  });

  it.each(['{"', '[', '"', '\\', ' ', '%'])('parses a line full of %j in linear time', async (filler) => {
    const line = lines.at(-1)!;
    const workOf = (size: number) => {
      const filled = filler.repeat(Math.ceil(size / filler.length));
      const texts = [0.3, 0.6, 0.95].map(
        (at) => line.slice(0, at * line.length) + filled + line.slice(at * line.length),
      );
      return () => texts.map((text) => new LogParser().read(text.slice(0, MAX_LINE_LENGTH)));
    };
    expect(await measureGrowth(workOf, 250)).toBeLessThan(MAX_GROWTH);
  });
});
