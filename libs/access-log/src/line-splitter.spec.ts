import { MAX_LINE_LENGTH } from './limits.js';
import { LineSplitter } from './line-splitter.js';

it('joins lines that are split across chunks at any byte', () => {
  const text = Buffer.from('one\r\ntwo é\n\nthree');
  for (let at = 0; at <= text.length; at += 1) {
    const splitter = new LineSplitter();
    const lines = [...splitter.push(text.subarray(0, at)), ...splitter.push(text.subarray(at))];
    expect(lines).toEqual(['one', 'two \xc3\xa9', '']);
    expect(splitter.end()).toBe('three');
    expect(splitter.end()).toBeUndefined();
  }
});

it("truncates an endless line just above the parser's maximum length", () => {
  const splitter = new LineSplitter();
  for (let part = 0; part < 100; part += 1) expect(splitter.push(Buffer.alloc(65_536, 'x'))).toEqual([]);
  const [long, next] = splitter.push(Buffer.from('x\nnext\n'));
  expect(long!.length).toBeGreaterThan(MAX_LINE_LENGTH);
  expect(long!.length).toBeLessThan(MAX_LINE_LENGTH + 100);
  expect(next).toBe('next');
});

describe.each([
  ['UTF-8', (text: string) => Buffer.from(text)],
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16LE', (text: string) => Buffer.from(text, 'utf16le')],
  ['UTF-16LE with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16BE', (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ['UTF-16BE with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
])('LineSplitter with %s', (_, encode) => {
  it('joins lines that are split across chunks at any byte', () => {
    const bytes = encode('first\r\ntwo é\rthree\0\0four\n\nlast');
    for (let at = 0; at <= bytes.length; at += 1) {
      const splitter = new LineSplitter();
      const lines = [...splitter.push(bytes.subarray(0, at)), ...splitter.push(bytes.subarray(at))];
      expect(lines).toEqual(['first', 'two \xc3\xa9', 'three', 'four', '']);
      expect(splitter.end()).toBe('last');
    }
  });
});

it('splits octet-counted messages', () => {
  const splitter = new LineSplitter();
  const lines = splitter.push(Buffer.from('12 <134>1 - one12 <134>1 - two14 <134>1 - three'));
  expect(lines).toEqual(['<134>1 - one', '<134>1 - two', '<134>1 - three']);
});

it('skips leading NUL bytes and splits lines at bare carriage returns', () => {
  const splitter = new LineSplitter();
  for (let part = 0; part < 40; part += 1) splitter.push(Buffer.alloc(65_536));
  expect(splitter.push(Buffer.from('one\rtwo\rthree'))).toEqual(['one', 'two']);
  expect(splitter.end()).toBe('three');
});
