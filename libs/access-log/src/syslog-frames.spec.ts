import { isFramed, SyslogFrames } from './syslog-frames.js';

function messages(stream: string, size: number): (string | undefined)[] {
  const frames = new SyslogFrames();
  const found: (string | undefined)[] = [];
  for (let at = 0; at < stream.length; at += size) found.push(...frames.push(stream.slice(at, at + size)));
  return [...found, frames.end()];
}

it.each([1, 7, 1_000])('splits lines and octet-counted messages, in chunks of %p bytes', (size) => {
  const counted = '<134>1 - - - - - two\nlines';
  const stream = `<134>one\r\n${counted.length} ${counted}192.0.2.7 - - plain\n${counted.length + 1} ${counted}\n\n12 <half`;
  expect(messages(stream, size)).toEqual(['<134>one', counted, '192.0.2.7 - - plain', counted, '', undefined]);
});

it('returns the unterminated last line of a connection', () => {
  expect(messages('one\nhalf', 3)).toEqual(['one', 'half']);
});

it('rejects an octet count above the maximum message length', () => {
  expect(() => new SyslogFrames().push('9999999 <134>')).toThrow('9999999 bytes');
});

it('truncates a line that never ends', () => {
  const frames = new SyslogFrames();
  for (let time = 0; time < 100; time += 1) expect(frames.push('x'.repeat(10_000))).toEqual([]);
  expect(frames.push('\nnext\n').map((text) => text.length)).toEqual([131_072, 4]);
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
])('detects octet counting from the start of a stream: %j', (text, expected) => {
  expect(isFramed(text)).toBe(expected);
});
