import { decodeBytes } from './decode-bytes.js';

const base64 = (value: string | readonly number[]): string => {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : Uint8Array.from(value);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};

it('indents JSON, leaves other text unchanged and shows binary data in hexadecimal', () => {
  expect(decodeBytes(base64('{"a":"é"}'))).toEqual({ text: '{\n  "a": "é"\n}', isText: true, isTruncated: false });
  expect(decodeBytes(base64('{"a":'))).toEqual({ text: '{"a":', isText: true, isTruncated: false });
  expect(decodeBytes(base64([0xff, 0, 10]))).toEqual({ text: 'ff 00 0a', isText: false, isTruncated: false });
  expect(decodeBytes('')).toEqual({ text: '', isText: true, isTruncated: false });
});

it('truncates long values', () => {
  const { text, isTruncated } = decodeBytes(base64('x'.repeat(2_000_000)));
  expect([text.length, isTruncated]).toEqual([65_536, true]);
  expect(decodeBytes(base64(Array.from({ length: 2_000_000 }, () => 0xff)))).toMatchObject({
    isText: false,
    isTruncated: true,
  });
});
