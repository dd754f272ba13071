import { MAX_GROWTH, measureGrowth } from '../../../test/kit/cost.js';
import { isFramed, SyslogFrames } from './syslog-frames.js';

function messages(stream: string, size: number): (string | undefined)[] {
  const frames = new SyslogFrames();
  const found: (string | undefined)[] = [];
  for (let at = 0; at < stream.length; at += size) found.push(...frames.push(stream.slice(at, at + size)));
  return [...found, frames.end()];
}

it.each([1, 7, 1_000])('splits lines and octet-counted messages that arrive in chunks of %p bytes', (size) => {
  const counted = '<134>1 - - - - - two\nlines';
  const stream = `<134>one\r\n${counted.length} ${counted}192.0.2.7 - - plain\n${counted.length + 1} ${counted}\n\n12 <half`;
  expect(messages(stream, size)).toEqual(['<134>one', counted, '192.0.2.7 - - plain', counted, '', '<half']);
});

it('returns the unterminated last line of a connection', () => {
  expect(messages('one\nhalf', 3)).toEqual(['one', 'half']);
});

it.each([
  ['an octet count over the limit', '9999999 <1>huge\n10 <134>small\n', ['9999999 <1>huge', '<134>small', '']],
  ['a negative octet count', '-5 <1>one\n10 <134>small\n', ['-5 <1>one', '<134>small', '']],
  ['an octet count that is too large', '10 <134>small99 <1>one\n8 <1>other', ['<134>small', '<1>one\n8 <1>other']],
  ['an octet count of zero', '0 <1>one\n10 <134>small\n', ['', '<1>one', '<134>small', '']],
])('returns all messages after %s', (_, stream, expected) => {
  for (const size of [1, 5, 1_000]) {
    expect(messages(stream, size).filter((message) => message !== undefined)).toEqual(expected);
  }
});

it('splits a message of the maximum size that arrives in chunks', () => {
  const message = `<134>${'x'.repeat(131_067)}`;
  expect(messages(`${message.length} ${message}10 <134>small`, 65_536)).toEqual([message, '<134>small', undefined]);
});

it('splits many messages that end with NUL bytes in linear time', async () => {
  const split = (count: number) => () => new SyslogFrames().push('x\0'.repeat(count));
  expect(await measureGrowth(split, 8_000)).toBeLessThan(MAX_GROWTH);
});

it('truncates a line that never ends', () => {
  const frames = new SyslogFrames();
  for (let time = 0; time < 100; time += 1) expect(frames.push('x'.repeat(10_000))).toEqual([]);
  expect(frames.push('\nnext\n').map((text) => text.length)).toEqual([131_080, 4]);
});

it('splits messages that end with NUL bytes', () => {
  expect(messages('<134>one\0<134>two\0three\n', 5)).toEqual(['<134>one', '<134>two', 'three', undefined]);
});

it.each([
  ['9 <1>1 - ab9 <1>1 - cd', true],
  ['10 <1>1 - ab\n10 <1>1 - cd\n', true],
  ['99 <1>1 - ab', true],
  ['12 <1>1 - a line of uniq -c', false],
  ['9999999 <1>1', false],
  ['192.0.2.7 - -', false],
])('detects octet counting at the start of a stream: %j', (text, expected) => {
  expect(isFramed(text)).toBe(expected);
});
