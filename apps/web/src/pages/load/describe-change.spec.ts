import { describeChange } from './describe-change.js';

const project = { price_per_gb: null, price_per_server_hour: 3.6, currency: 'USD' };
const context = { project, before: 'the 24 hours before', mark: (text: string) => text };
const load = (seconds: number) => ({ requests: 100, bytes: null, server_time_ms: 1_000 * seconds });

it.each([
  ['a rise', 740, 239, 'Cost rose 210% to $0.74'],
  ['a fall', 500, 1_000, 'Cost fell 50% to $0.50'],
  ['a large rise', 7_400, 100, 'Cost rose to $7.40, 74 times as much as the 24 hours before'],
  ['less than a cent', 6, 2, 'Cost rose 200%'],
  ['a small change', 1_050, 1_000, null],
  ['nothing before', 1_000, 0, null],
])('describes %s', (_, now, then, text) => {
  expect(describeChange(load(now), load(then), 'cost', context)).toBe(text);
});
