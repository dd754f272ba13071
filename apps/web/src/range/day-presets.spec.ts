import { getDayPresets } from './day-presets.js';

it('returns calendar months and years before and including today', () => {
  const presets = Object.fromEntries(getDayPresets('2026-03-31').map(({ label, value }) => [label, value.join(' ')]));
  expect(presets).toEqual({
    'Last 14 days': '2026-03-18 2026-03-31',
    'Last 60 days': '2026-01-31 2026-03-31',
    'This month': '2026-03-01 2026-03-31',
    'Last month': '2026-02-01 2026-02-28',
    'This year': '2026-01-01 2026-03-31',
    'Last year': '2025-01-01 2025-12-31',
  });
});
