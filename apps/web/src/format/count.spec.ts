import { aboutText } from './count.js';

it.each([
  [12_000, 'about 12,000'],
  [990_000, 'about 990,000'],
  [1_200_000, 'about 1.2 million'],
  [30_000_000, 'about 30 million'],
])('%d is %s', (count, text) => expect(aboutText(count)).toBe(text));
