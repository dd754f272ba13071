import { distinctExpressions } from './kit/expressions.js';
import { findUnprovenExpressions, getVerdicts } from './kit/recheck.js';

const PROOF_TIMEOUT_MS = 900_000;

it(
  'proves that every regular expression is linear',
  async () => {
    expect(await findUnprovenExpressions([...distinctExpressions().values()])).toEqual([]);
  },
  PROOF_TIMEOUT_MS,
);

it('detects nonlinear regular expressions', async () => {
  const sources = ['(a*)*$', '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$', 'x+$', 'a(?=b*c)'];
  expect(await getVerdicts(sources.map((source) => ({ source, flags: 'u' })))).toEqual([
    'exponential',
    'polynomial',
    'polynomial',
    expect.stringContaining('unsupported'),
  ]);
});
