import { readFile } from 'node:fs/promises';
import { API_TYPES, apiTypes, FILTERS_FILE, limits, LIMITS_FILE, timelineFilters } from '../../apps/web/api-types.js';

it("the dashboard's client fits the interface (else: npm run api-types)", async () => {
  expect(await readFile(API_TYPES, 'utf8')).toBe(await apiTypes());
  expect(await readFile(FILTERS_FILE, 'utf8')).toBe(timelineFilters());
  expect(await readFile(LIMITS_FILE, 'utf8')).toBe(limits());
});
