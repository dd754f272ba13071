import { POLICY_OUTCOMES, type OutcomeCounts, type PolicyOutcomes } from '#libs/contracts';
import { countActed } from './policy-replay.js';
import type { ForecastVersion } from './policy-outcomes.repository.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Compares a forecast with the decisions since its version was saved, as requests per day. */
export function compareForecast(
  { id, saved_at: savedAt, replaced_at: replacedAt, rules, forecast, counts }: ForecastVersion,
  now: number,
): PolicyOutcomes['versions'][number] {
  const forecastDays = (Date.parse(forecast.to) - Date.parse(forecast.from)) / DAY_MS;
  // Decisions are counted by hour, so the hours that the version shares with another one are left out.
  const from = Math.floor(savedAt.getTime() / HOUR_MS) + 1;
  const to = Math.floor((replacedAt?.getTime() ?? now) / HOUR_MS);
  const days = Math.max(0, to - from) / 24;
  const ruleIds = rules.flatMap((rule) => [rule.id, ...(rule.exceptions ?? []).map((exception) => exception.id)]);
  return {
    version_id: id,
    saved_at: savedAt.toISOString(),
    replaced_at: replacedAt?.toISOString() ?? null,
    compared_hours: Math.max(0, to - from),
    rules: ruleIds.flatMap((ruleId) => {
      const expected = forecast.rules.find((rule) => rule.rule_id === ruleId)?.outcomes;
      const actual = Object.fromEntries(
        POLICY_OUTCOMES.map((outcome) => [
          outcome,
          counts.find((count) => count.rule_id === ruleId && count.outcome === outcome)?.decisions ?? 0,
        ]),
      ) as OutcomeCounts;
      const forecastPerDay = expected === undefined ? 0 : countActed(expected) / forecastDays;
      const outcomePerDay = days === 0 ? null : countActed(actual) / days;
      if (forecastPerDay === 0 && !outcomePerDay) return [];
      return [
        {
          rule_id: ruleId,
          forecast_per_day: forecastPerDay,
          outcome_per_day: outcomePerDay,
          error: outcomePerDay === null || outcomePerDay === 0 ? null : forecastPerDay / outcomePerDay - 1,
        },
      ];
    }),
  };
}
