import { ratioText } from './ratio.js';

it.each([
  [1_204, 1, '1,204:1'],
  [2_500, 2, '1,250:1'],
  [5, 2, '2.5:1'],
  [3, 3, '1:1'],
  [2, 5, '1:2.5'],
  [1, 300, '1:300'],
  [1_204, 0, '1,204:0'],
  [0, 12, '0:12'],
  [0, 0, '0:0'],
])('formats %d pages for %d people as %s', (pages, people, text) => {
  expect(ratioText(pages, people)).toBe(text);
});
