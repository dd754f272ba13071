import { gzipSync } from 'node:zlib';
import { DRAIN_LIMITS } from '#libs/contracts';
import { unwrapped } from './wrappers.js';

const records = (...texts: (string | Buffer)[]) =>
  unwrapped('aws-firehose', [{ records: texts.map((text) => ({ data: Buffer.from(text).toString('base64') })) }]);

it("takes lines out of Firehose's records", () => {
  expect(records('a\nb\n', gzipSync('c'))).toEqual(['a', 'b', '', 'c']);
});

it('refuses more line feeds than lines that a body may have, before it takes them apart', () => {
  const many = DRAIN_LIMITS.lines;
  expect(records('\n'.repeat(many))).toHaveLength(many + 1);
  for (const texts of [[gzipSync('\n'.repeat(many * 100))], ['\n'.repeat(many), '\n']]) {
    expect(() => records(...texts)).toThrow(expect.objectContaining({ statusCode: 413 }) as Error);
  }
});
