import { Card, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getLoadCost } from '#libs/contracts/load-cost';
import type { Project } from '../../api/client.js';
import { policyQuery, type PolicyRule } from '../../api/policy.js';
import { policyForecastQuery, policyOutcomesQuery, type PolicyForecast } from '../../api/policy-forecast.js';
import { TimeChart } from '../../charts/time-chart.js';
import { formatBytes } from '../../format/bytes.js';
import { formatCount } from '../../format/count.js';
import { formatAmount } from '../../format/money.js';
import { Answer } from '../../ui/answer.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { formatFullTime } from '../../ui/relative-time.js';
import { SmallSelect } from '../../ui/small-select.js';
import { TabbedCard } from '../../ui/tabbed-card.js';
import { TextLink } from '../../ui/text-link.js';
import { countActed, describeOutcomes, OUTCOME_SERIES } from '../../rules/outcomes.js';
import { compareRecorded, sumEffect } from '../../rules/rule-effect.js';
import { ForecastByAgent, ForecastByRule } from './forecast-tables.js';
import { Outcomes } from './outcomes.js';
import classes from './policy.module.css';
import { RecommendationList } from './recommendation-list.js';
import { recommend, type Recommendation } from './recommendations.js';

const PERIODS = [1, 7, 30].map((days) => ({
  value: String(days),
  label: days === 1 ? 'Last 24 hours' : `Last ${days} days`,
}));

interface ForecastProps {
  project: Project;
  /** Rules to replay, including unpublished changes. */
  rules: PolicyRule[];
  hasChanges: boolean;
  onGoLive: (rule: PolicyRule) => void;
}

/** Policy lab: replays the visits of the past through the rules. */
export default function Forecast({ project, rules, hasChanges, onGoLive }: ForecastProps) {
  const [days, setDays] = useState(7);
  const isEmpty = rules.every(({ mode }) => mode === 'off');
  const query = useQuery({ ...policyForecastQuery(project.id, rules, days), enabled: !isEmpty });
  const { data: outcomes } = useQuery(policyOutcomesQuery(project.id));
  const { data: policy } = useQuery(policyQuery(project.id));
  if (isEmpty) {
    return (
      <EmptyState title="No rules to try">
        Choose a response for some agents under{' '}
        <TextLink to="/projects/$projectId/policy" params={{ projectId: project.id }} inherit>
          Agents
        </TextLink>
        . Before you publish it, this page shows its effect on the requests of the last days.
      </EmptyState>
    );
  }
  const compare = (rule: PolicyRule): string | null =>
    query.data === undefined
      ? null
      : compareRecorded(sumEffect(query.data, rule), rule, {
          from: query.data.from,
          changedAt: policy?.version?.saved_at ?? null,
          timeZone: project.time_zone,
        });
  const recommendations = query.isSuccess ? recommend(rules, query.data) : [];
  const effect = query.isSuccess && <Sentence project={project} forecast={query.data} days={days} />;
  const select = (
    <SmallSelect
      aria-label="Period"
      options={PERIODS}
      value={String(days)}
      onChange={(value) => setDays(Number(value))}
    />
  );
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div role="status" aria-busy={query.isFetching} className={classes['forecast']}>
          <Answer
            notes={
              <>
                {recommendations.length > 0 && effect}
                {hasChanges && ' Includes your unpublished changes.'}
              </>
            }
          >
            {query.isPending
              ? 'Replaying your stored requests…'
              : recommendations.length > 0
                ? summarizeRecommendations(recommendations)
                : effect}
          </Answer>
        </div>
        {select}
      </Group>
      {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && (
        <>
          {rules.some(({ mode }) => mode === 'dry_run') && (
            <CardSkeleton rows={rules.filter(({ mode }) => mode === 'dry_run').length * 2} />
          )}
          <CardSkeleton chart={330} />
          <CardSkeleton rows={5} />
        </>
      )}
      {query.isSuccess && (
        <>
          {recommendations.length > 0 && (
            <RecommendationList
              projectId={project.id}
              recommendations={recommendations}
              compare={compare}
              onGoLive={project.role === 'viewer' ? undefined : onGoLive}
            />
          )}
          <Card withBorder>
            <Chart project={project} forecast={query.data} />
          </Card>
          <TabbedCard
            label="Forecast"
            tabs={[
              {
                key: 'rules',
                label: 'By rule',
                content: <ForecastByRule project={project} rules={rules} forecast={query.data} compare={compare} />,
              },
              {
                key: 'agents',
                label: 'By agent',
                content: (
                  <ForecastByAgent
                    projectId={project.id}
                    agents={query.data.agents.filter(({ outcomes: counts }) => countActed(counts) > 0)}
                  />
                ),
              },
              ...(outcomes === undefined || outcomes.versions.length === 0
                ? []
                : [
                    {
                      key: 'outcomes',
                      label: 'Earlier forecasts',
                      content: <Outcomes rules={rules} versions={outcomes.versions} />,
                    },
                  ]),
            ]}
          />
        </>
      )}
    </>
  );
}

const list = new Intl.ListFormat('en-US');

/** States which rules in dry run to put live. */
function summarizeRecommendations(recommendations: readonly Recommendation[]): string {
  const name = (action: Recommendation['action']): string =>
    list.format(recommendations.filter((one) => one.action === action).map(({ rule }) => `“${rule.name}”`));
  const [ready, watched] = [name('go live'), name('keep watching')];
  return [ready && `${ready} can go live.`, watched && `Keep watching ${watched}.`].filter(Boolean).join(' ');
}

/** Describes the effect of all rules. */
function Sentence({ project, forecast, days }: { project: Project; forecast: PolicyForecast; days: number }) {
  const { total, visits, from, is_complete: isComplete } = forecast;
  const requests = (
    <>
      {formatCount(visits)} requests{' '}
      {isComplete
        ? `in the last ${days === 1 ? '24 hours' : `${days} days`}`
        : `since ${formatFullTime(from, project.time_zone)}`}
    </>
  );
  const acted = countActed(total.outcomes);
  const atRisk = total.referrals_at_risk - total.referrals_asked_to_pay;
  if (acted === 0) return <>These rules wouldn’t have affected any of the {requests}.</>;
  const cost = getLoadCost({ bytes: total.bytes, server_time_ms: total.milliseconds }, project);
  const saved = cost === null ? formatBytes(total.bytes) : formatAmount(cost, project.currency);
  return (
    <>
      With all rules live, <strong>{formatCount(acted)}</strong> of {requests} would have been{' '}
      {describeOutcomes(total.outcomes)}. This would have saved {saved}.
      {atRisk > 0 && (
        <>
          {' '}
          Companies whose verified agents are blocked or slowed sent you{' '}
          <strong>
            {formatCount(atRisk)} of the {formatCount(total.referrals)} people
          </strong>{' '}
          who came from assistants.
        </>
      )}
      {total.referrals_asked_to_pay > 0 &&
        ` Companies that are only asked to pay sent ${formatCount(total.referrals_asked_to_pay)}.`}
    </>
  );
}

function Chart({ project, forecast }: { project: Project; forecast: PolicyForecast }) {
  const [isTable, setIsTable] = useState(false);
  const { bucket, series, total, from, to } = forecast;
  return (
    <TimeChart
      title="Forecast by outcome"
      series={OUTCOME_SERIES.filter(({ key }) => total.outcomes[key] > 0)}
      items={series.map(({ time, outcomes }) => ({ time, values: outcomes }))}
      times={{ bucket, projectZone: project.time_zone, timeZone: project.time_zone }}
      range={{ from, to }}
      isTable={isTable}
      onTable={setIsTable}
    />
  );
}
