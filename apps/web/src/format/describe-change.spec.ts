import { describeChange } from './describe-change.js';

it.each([
  [155, 100, 'up 55%'],
  [50, 100, 'down 50%'],
  [2_000, 100, '20 times as many as before'],
  [100, 100, 'about as many as before'],
  [9, 3, 'up from 3'],
  [9, 0, 'up from 0'],
])('describes %i visits after %i', (visits, previous, text) => expect(describeChange(visits, previous)).toBe(text));
