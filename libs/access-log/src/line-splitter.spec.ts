import { MAX_LINE_LENGTH } from './limits.js';
import { LineSplitter } from './line-splitter.js';

it('cuts lines wherever the bytes are cut', () => {
  const text = Buffer.from('one\r\ntwo é\n\nthree');
  for (let at = 0; at <= text.length; at += 1) {
    const splitter = new LineSplitter();
    const lines = [...splitter.push(text.subarray(0, at)), ...splitter.push(text.subarray(at))];
    expect(lines).toEqual(['one', 'two \xc3\xa9', '']);
    expect(splitter.end()).toBe('three');
    expect(splitter.end()).toBeUndefined();
  }
});

it('keeps no more of an endless line than the parser needs to refuse it', () => {
  const splitter = new LineSplitter();
  for (let part = 0; part < 100; part += 1) expect(splitter.push(Buffer.alloc(65_536, 'x'))).toEqual([]);
  const [long, next] = splitter.push(Buffer.from('x\nnext\n'));
  expect(long!.length).toBeGreaterThan(MAX_LINE_LENGTH);
  expect(long!.length).toBeLessThan(MAX_LINE_LENGTH + 100);
  expect(next).toBe('next');
});
