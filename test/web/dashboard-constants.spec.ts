import { readFile } from 'node:fs/promises';
import { FILTERS_FILE, limits, LIMITS_FILE, timelineFilters } from '../../apps/web/constants.js';

it('matches the constants of the dashboard to the contracts (else: npm run dashboard-constants)', async () => {
  expect(await readFile(FILTERS_FILE, 'utf8')).toBe(timelineFilters());
  expect(await readFile(LIMITS_FILE, 'utf8')).toBe(limits());
});
