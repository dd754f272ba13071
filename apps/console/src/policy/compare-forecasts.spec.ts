import type { OutcomeCounts, PolicyRule } from '#libs/contracts';
import { compareForecast } from './compare-forecasts.js';
import type { StoredForecast } from './policy-versions.repository.js';

const ID = '018f0000-0000-7000-8000-000000000001';
const RULE: PolicyRule = { id: ID, name: 'Rule', mode: 'live', action: { kind: 'refuse' } };
const NOW = Date.parse('2026-11-21T12:10:00Z');
const NONE: OutcomeCounts = { allowed: 0, slowed: 0, redirected: 0, charged: 0, refused: 0 };

const FORECAST: StoredForecast = {
  from: '2026-11-14T08:00:00Z',
  to: '2026-11-21T08:00:00Z',
  rules: [
    {
      rule_id: ID,
      outcomes: { ...NONE, allowed: 1_000, slowed: 14, refused: 56 },
    },
  ],
};

const version = (replacedAt: string | null, decisions: number) => ({
  id: ID,
  saved_at: new Date('2026-11-21T08:30:00Z'),
  replaced_at: replacedAt === null ? null : new Date(replacedAt),
  rules: [RULE],
  forecast: FORECAST,
  counts: [
    { rule_id: ID, outcome: 'refused' as const, decisions },
    { rule_id: ID, outcome: 'allowed' as const, decisions: 500 },
  ],
});

it('compares requests per day in full hours', () => {
  expect(compareForecast(version(null, 1), NOW)).toMatchObject({
    compared_hours: 3,
    rules: [{ rule_id: ID, forecast_per_day: 10, outcome_per_day: 8, error: 0.25 }],
  });
});

it('has no outcome before the first full hour', () => {
  expect(compareForecast(version('2026-11-21T09:20:00Z', 0), NOW)).toMatchObject({
    compared_hours: 0,
    rules: [{ outcome_per_day: null, error: null }],
  });
});

it('has no relative error if nothing happened', () => {
  expect(compareForecast(version(null, 0), NOW).rules).toMatchObject([{ outcome_per_day: 0, error: null }]);
});
