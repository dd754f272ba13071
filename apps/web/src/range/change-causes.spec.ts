import { toCauseFilters } from './change-causes.js';

const network = { dimension: 'network', value: '203.0.113.0/24', visits: 120, previous_visits: 0 } as const;
const page = { dimension: 'page', value: '/', visits: 9, previous_visits: 0 } as const;

describe('toCauseFilters', () => {
  it('filters by the network', () => {
    expect(toCauseFilters([network])).toEqual({ address: ['203.0.113.0/24'] });
    expect(toCauseFilters([page])).toEqual({});
    expect(toCauseFilters(null)).toEqual({});
  });
});
