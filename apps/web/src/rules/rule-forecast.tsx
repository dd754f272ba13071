import { Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Project } from '../api/client.js';
import type { PolicyRule } from '../api/policy.js';
import { policyForecastQuery, type PolicyForecast } from '../api/policy-forecast.js';
import { formatCount } from '../format/count.js';
import { toErrorMessage } from '../api/client.js';
import { TextLink } from '../ui/text-link.js';
import { describeOutcomes, OUTCOME_SERIES } from './outcomes.js';
import { describeAffected, describeBystanders, describeOthers, sumEffect } from './rule-effect.js';
import classes from './rule-form.module.css';

/** Number of days whose stored requests are replayed. */
const DAYS = 7;

/** Replays stored requests with the rule as entered. Disabled without a rule, and if the rule is off. */
export const ruleForecastQuery = (projectId: string, rule: PolicyRule | null, place: RuleForecastProps['place']) => ({
  ...policyForecastQuery(projectId, rule === null ? [] : place(rule), DAYS),
  enabled: rule !== null && rule.mode !== 'off',
});

interface RuleForecastProps {
  project: Project;
  /** Rule as entered, or null if something is missing. */
  rule: PolicyRule | null;
  /** Rule before the change, or null for a new one. */
  before: PolicyRule | null;
  /** Returns all rules, with the one as entered. */
  place: (rule: PolicyRule) => PolicyRule[];
}

/** Effect that a rule would have had on the stored requests, updated while it's edited. */
export function RuleForecast({ project, rule, before, place }: RuleForecastProps) {
  const isOff = rule?.mode === 'off';
  const query = useQuery(ruleForecastQuery(project.id, rule, place));
  const saved = useQuery(ruleForecastQuery(project.id, before, place));
  const forecast = query.data;
  return (
    <section className={classes['forecast']} aria-label="Forecast" role="status" aria-busy={query.isFetching}>
      {rule === null ? (
        <Text size="sm" c="dimmed">
          Complete the rule to see its effect on the last {DAYS} days.
        </Text>
      ) : isOff ? (
        <Text size="sm">The rule is off, so it affects no requests.</Text>
      ) : query.isError ? (
        <Text size="sm">Couldn’t forecast the effect. {toErrorMessage(query.error)}</Text>
      ) : forecast === undefined ? (
        <Group gap="xs" wrap="nowrap">
          <Loader size={14} aria-hidden="true" />
          <Text size="sm">Replaying the requests of the last {DAYS} days. You can save once the effect is known.</Text>
        </Group>
      ) : (
        <Effect
          projectId={project.id}
          rule={rule}
          forecast={forecast}
          affected={saved.data && before && sumEffect(saved.data, before).acted}
        />
      )}
    </section>
  );
}

interface EffectProps {
  projectId: string;
  rule: PolicyRule;
  forecast: PolicyForecast;
  /** Requests that the rule would have affected before the change. */
  affected: number | null | undefined;
}

function Effect({ projectId, rule, forecast, affected }: EffectProps) {
  const effect = sumEffect(forecast, rule);
  const { acted, matching, outcomes, referralsAtRisk: atRisk, examples } = effect;
  return (
    <>
      <Text size="sm">
        {matching === 0 ? (
          `None of the ${formatCount(forecast.visits)} requests in the last ${DAYS} days match`
        ) : (
          <>
            <strong>{acted === 0 ? 'None' : formatCount(acted)}</strong> of {formatCount(matching)} matching requests in
            the last {DAYS} days would have been {acted === 0 ? 'affected' : describeOutcomes(outcomes)}
          </>
        )}
        {affected != null && affected !== acted && ` (${formatCount(affected)} before your change)`}.{' '}
        {[
          describeOthers(effect),
          rule.visitors?.networks === undefined ? describeAffected(effect) : describeBystanders(effect),
          // A price doesn't keep people from coming.
          atRisk > 0 &&
            (outcomes.charged === acted
              ? `The companies behind them sent you ${formatCount(atRisk)} ${atRisk === 1 ? 'person' : 'people'}.`
              : `Referrals at risk: up to ${formatCount(atRisk)}.`),
        ]
          .filter(Boolean)
          .join(' ')}
      </Text>
      {acted > 0 && (
        <span className={classes['bar']} aria-hidden="true">
          {OUTCOME_SERIES.filter(({ key }) => outcomes[key] > 0).map(({ key, color }) => (
            <span key={key} style={{ flexGrow: outcomes[key], background: color }} />
          ))}
        </span>
      )}
      {examples.length > 0 && (
        <Text size="xs" c="dimmed">
          For example:{' '}
          {examples.slice(0, 2).map(({ visit_id: visit, path }) => (
            <TextLink
              key={visit}
              to="/projects/$projectId/visits"
              params={{ projectId }}
              search={{ visit }}
              target="_blank"
              inherit
              mr={8}
            >
              {path}
            </TextLink>
          ))}
        </Text>
      )}
    </>
  );
}
