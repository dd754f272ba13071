import { readBytes } from './bytes-text.js';

const base64 = (value: string | readonly number[]): string => {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : Uint8Array.from(value);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};

it('formats JSON, returns other text unchanged, and shows binary data in hexadecimal', () => {
  expect(readBytes(base64('{"a":"é"}'))).toEqual({ text: '{\n  "a": "é"\n}', isText: true, isCut: false });
  expect(readBytes(base64('{"a":'))).toEqual({ text: '{"a":', isText: true, isCut: false });
  expect(readBytes(base64([0xff, 0, 10]))).toEqual({ text: 'ff 00 0a', isText: false, isCut: false });
  expect(readBytes('')).toEqual({ text: '', isText: true, isCut: false });
});

it('truncates long values', () => {
  const { text, isCut } = readBytes(base64('x'.repeat(2_000_000)));
  expect([text.length, isCut]).toEqual([65_536, true]);
  expect(readBytes(base64(Array.from({ length: 2_000_000 }, () => 0xff)))).toMatchObject({
    isText: false,
    isCut: true,
  });
});
