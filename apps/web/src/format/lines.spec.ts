import { fromLines, toLines } from './lines.js';

it('parses a typed or pasted list', () => {
  expect(fromLines(' www.example.com\r\nexample.com, shop.example.com  \n\nexample.com')).toEqual([
    'www.example.com',
    'example.com',
    'shop.example.com',
  ]);
  expect(fromLines(' \n')).toEqual([]);
  expect(fromLines(toLines(['a', 'b']))).toEqual(['a', 'b']);
});
