import { parseList, joinLines } from './lines.js';

it('parses a typed or pasted list', () => {
  expect(parseList(' www.example.com\r\nexample.com, shop.example.com  \n\nexample.com')).toEqual([
    'www.example.com',
    'example.com',
    'shop.example.com',
  ]);
  expect(parseList(' \n')).toEqual([]);
  expect(parseList(joinLines(['a', 'b']))).toEqual(['a', 'b']);
});
