import * as fc from 'fast-check';
import { measureGrowth, MAX_GROWTH } from '../../../../test/kit/cost.js';
import { LogParser } from '../log-parser.js';
import { customFormat } from './custom-format.js';
import { DirectiveError } from './directive.js';

/** Comma-separated pieces of directives. The pieces themselves don't contain commas. */
const NGINX = '$remote_addr,${request},$time_local,$msec,$uri,$is_args,$args,$host,$http_x,$';
const APACHE = '%h,%a,%{c}a,%t,%{%F %T}t,%{usec}t,%r,%m,%U,%q,%>s,%{A}i,%!200{A}i,%%,%';
const GOACCESS = '%d,%x,%^,%~,~h{ },%u,%R,%L';
const WORDS = 'log_format x ,escape=json ,LogFormat ,CustomLog "|x" ,log-format ';
const MARKS = `',",\\",\\, ,[,],{,},|,;`;
const pieces = fc.constantFrom(...[NGINX, APACHE, GOACCESS, WORDS, MARKS].join(',').split(','));
const directive = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
  fc.array(pieces, { maxLength: 12 }).map((all) => all.join(' ')),
  fc.string({ maxLength: 40 }),
);

it('converts any text to a format or throws a DirectiveError with a message', () => {
  let formats = 0;
  fc.assert(
    fc.property(directive, fc.string({ unit: 'binary-ascii', maxLength: 80 }), (text, line) => {
      try {
        const parser = new LogParser(customFormat(text));
        formats += 1;
        expect(Object.keys(parser.read(line))).toHaveLength(1);
      } catch (error) {
        expect(error).toBeInstanceOf(DirectiveError);
        expect((error as Error).message).not.toBe('');
      }
    }),
    { numRuns: 20_000, seed: 20_261_124 },
  );
  expect(formats).toBeGreaterThan(20);
});

const LINES: [directive: string, line: string][] = [
  [
    '$remote_addr [$time_local] "$request" $status "$http_user_agent"',
    '192.0.2.7 [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 "Bot/1.0"',
  ],
  [
    `escape=json '{"a":"$remote_addr","t":"$msec","r":"$request","u":"$http_user_agent"}'`,
    '{"a":"192.0.2.7","t":"1431857103.123","r":"GET /a HTTP/1.1","u":"say \\"hi\\""}',
  ],
  [
    '%h %l %u %t "%r" %>s %b "%{User-Agent}i"',
    '192.0.2.7 - John Doe [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "say \\"hi\\""',
  ],
  ['%h %^[%d:%t %^] %r %s', '192.0.2.7 - - [17/May/2015:10:05:03 +0000] GET /a b HTTP/1.1 200'],
];

describe.each(LINES)('%s', (text, line) => {
  const format = customFormat(text);

  it('reads only values that appear in the damaged line', () => {
    expect(new LogParser(format).read(line)).toHaveProperty('line');
    const damage = fc.tuple(fc.nat(line.length), fc.nat(6), fc.string({ unit: 'binary-ascii', maxLength: 4 }));
    fc.assert(
      fc.property(damage, ([at, removed, inserted]) => {
        const damaged = line.slice(0, at) + inserted + line.slice(at + removed);
        const parsed = new LogParser(format).read(damaged);
        if (!('line' in parsed)) return;
        const { client, method, path } = parsed.line;
        expect(client).toMatch(/^[\w.:%-]+$/);
        for (const part of [client, method]) expect(damaged).toContain(part);
        expect(path).not.toBe('');
      }),
      { numRuns: 3_000, seed: 20_261_124 },
    );
  });

  it.each(['"', '\\"', '" ', ' HTTP/', '] "', '","u":"', ' '])(
    'parses a line full of %j in linear time',
    async (filler) => {
      const workOf = (size: number) => {
        const filled = filler.repeat(Math.ceil(size / filler.length));
        const lines = [0.2, 0.6, 0.95].map(
          (at) => line.slice(0, at * line.length) + filled + line.slice(at * line.length),
        );
        return () => lines.map((each) => new LogParser(format).read(each));
      };
      expect(await measureGrowth(workOf, 250)).toBeLessThan(MAX_GROWTH);
    },
  );
});
