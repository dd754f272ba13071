import type { ChangeCause } from './change-cause.schema.js';
import { describeCauses } from './change-causes.js';

const cause = (dimension: ChangeCause['dimension'], value: string, visits: number, previous = 0): ChangeCause => ({
  dimension,
  value,
  visits,
  previous_visits: previous,
});
const network = cause('network', '203.0.113.0/24', 120);

describe('describeCauses', () => {
  it.each<[string, ChangeCause[] | null, string | null]>([
    [
      'a network with its verdict and folder',
      [network, cause('page', '/blog/*', 100), cause('verdict', 'not_verifiable', 134)],
      '120 from 203.0.113.0/24; most were not verifiable; mostly /blog/*',
    ],
    ['a network that visited before', [cause('network', '192.0.2.0/24', 80, 20)], '60 more from 192.0.2.0/24'],
    ['a network that stopped', [cause('network', '192.0.2.0/24', 0, 20)], '20 fewer from 192.0.2.0/24'],
    ['a page', [cause('page', '/search', 90, 10), cause('status', '404', 70)], '80 more on /search; mostly status 404'],
    ['a status', [cause('status', '404', 70)], '70 with status 404'],
    ['a verdict', [cause('verdict', 'verified', 90, 20)], '70 more visits were verified'],
    ['nothing without a clear cause', [], null],
    ['nothing if they were not determined', null, null],
  ])('describes %s', (_, causes, text) => expect(describeCauses(causes)).toBe(text));
});
