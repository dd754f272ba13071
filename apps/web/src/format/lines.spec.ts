import { fromLines, toLines } from './lines.js';

it('takes a list however it was typed or pasted', () => {
  expect(fromLines(' www.example.com\r\nexample.com, shop.example.com  \n\nexample.com')).toEqual([
    'www.example.com',
    'example.com',
    'shop.example.com',
  ]);
  expect(fromLines(' \n')).toEqual([]);
  expect(fromLines(toLines(['a', 'b']))).toEqual(['a', 'b']);
});
