import { isFramed, SyslogFrames } from './syslog-frames.js';

/** Pushes a stream in pieces of a size. */
function messages(stream: string, size: number): (string | undefined)[] {
  const frames = new SyslogFrames();
  const found: (string | undefined)[] = [];
  for (let at = 0; at < stream.length; at += size) found.push(...frames.push(stream.slice(at, at + size)));
  return [...found, frames.end()];
}

it.each([1, 7, 1_000])('cuts lines and counted messages, in pieces of %p bytes', (size) => {
  const counted = '<134>1 - - - - - two\nlines';
  const stream = `<134>one\r\n${counted.length} ${counted}192.0.2.7 - - plain\n${counted.length + 1} ${counted}\n\n12 <half`;
  expect(messages(stream, size)).toEqual(['<134>one', counted, '192.0.2.7 - - plain', counted, '', undefined]);
});

it('hands on what a connection ended with', () => {
  expect(messages('one\nhalf', 3)).toEqual(['one', 'half']);
});

it('refuses a count of more than any message has', () => {
  expect(() => new SyslogFrames().push('9999999 <134>')).toThrow('9999999 bytes');
});

it('keeps no more than the start of a line without end', () => {
  const frames = new SyslogFrames();
  for (let time = 0; time < 100; time += 1) expect(frames.push('x'.repeat(10_000))).toEqual([]);
  expect(frames.push('\nnext\n').map((text) => text.length)).toEqual([131_072, 4]);
});

it('cuts messages that end with zeros', () => {
  expect(messages('<134>one\0<134>two\0three\n', 5)).toEqual(['<134>one', '<134>two', 'three', undefined]);
});

it.each([
  ['9 <1>1 - ab9 <1>1 - cd', true],
  ['10 <1>1 - ab\n10 <1>1 - cd\n', true],
  ['99 <1>1 - ab', true],
  ['12 <1>1 - a line of uniq -c', false],
  ['9999999 <1>1', false],
  ['192.0.2.7 - -', false],
])('knows a stream of counted messages by its beginning: %j', (text, expected) => {
  expect(isFramed(text)).toBe(expected);
});
