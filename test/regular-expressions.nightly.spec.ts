import { distinctExpressions } from './kit/expressions.js';
import { faultyExpressions, provenTimes } from './kit/recheck.js';

const PROOF_TIMEOUT_MS = 900_000;

it(
  'proves every expression linear',
  async () => {
    expect(await faultyExpressions([...distinctExpressions().values()])).toEqual([]);
  },
  PROOF_TIMEOUT_MS,
);

it('detects expressions that are not linear', async () => {
  const sources = ['(a*)*$', '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$', 'x+$', 'a(?=b*c)'];
  expect(await provenTimes(sources.map((source) => ({ source, flags: 'u' })))).toEqual([
    'exponential',
    'polynomial',
    'polynomial',
    expect.stringContaining('unsupported'),
  ]);
});
