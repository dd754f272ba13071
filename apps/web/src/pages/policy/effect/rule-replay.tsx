import { Card, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import type { Project } from '../../../api/client.js';
import { policyCountsQuery, type PolicyRule } from '../../../api/policy.js';
import { policyForecastQuery, type PolicyForecast } from '../../../api/policy-forecast.js';
import { TimeChart } from '../../../charts/time-chart.js';
import { toFilters } from '../../../filters/visit-filters.js';
import { formatCount } from '../../../format/count.js';
import { listLink } from '../../../range/list-link.js';
import type { LinkedRange } from '../../../range/range.js';
import { Answer } from '../../../ui/answer.js';
import { AnswerSkeleton } from '../../../ui/answer-skeleton.js';
import { CardSkeleton } from '../../../ui/card-skeleton.js';
import { MarkedName } from '../../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../../ui/data-table.js';
import { Section } from '../../../ui/section.js';
import { Verdict } from '../../../ui/verdict.js';
import { useRecentAgents } from '../../../rules/recent-agents.js';
import { Failure } from '../../../ui/failure.js';
import { RelativeTime } from '../../../ui/relative-time.js';
import { TextLink } from '../../../ui/text-link.js';
import { describeOutcomes, OUTCOME_SERIES } from '../../../rules/outcomes.js';
import {
  describeAffected,
  describeBystanders,
  describeOthers,
  isolateRule,
  sumEffect,
  type RuleEffect,
} from '../../../rules/rule-effect.js';

interface RuleReplayProps {
  project: Project;
  rule: PolicyRule;
  /** All published rules. */
  rules: readonly PolicyRule[];
  /** Time at which the rule went live, or null. */
  liveSince: string | null;
  /** Number of days whose stored requests are replayed. */
  days: number;
}

/** Effect that a rule without decisions would have had on the stored requests. */
export function RuleReplay({ project, rule, rules, liveSince, days }: RuleReplayProps) {
  const [isTable, setIsTable] = useState(false);
  const query = useQuery(policyForecastQuery(project.id, isolateRule(rules, rule), days));
  const { data: counted } = useQuery(policyCountsQuery(project.id));
  if (query.isError)
    return (
      <Failure title="Couldn't replay the stored requests" error={query.error} retry={() => void query.refetch()} />
    );
  if (query.isPending) {
    return (
      <Stack>
        <AnswerSkeleton />
        <CardSkeleton chart={330} />
        <CardSkeleton rows={8} />
      </Stack>
    );
  }
  const forecast = query.data;
  const effect = sumEffect(forecast, rule);
  const { acted, matching, outcomes } = effect;
  const isConnected = counted === undefined || counted.counts.length > 0;
  const { networks, ...otherVisitors } = rule.visitors ?? {};
  // Other rules could take requests from the list.
  const hasList =
    rules[0]?.id === rule.id &&
    networks !== undefined &&
    Object.keys(otherVisitors).length === 0 &&
    rule.requests === undefined &&
    forecast.is_complete;
  return (
    <Stack>
      <Answer
        notes={
          <>
            {rule.visitors?.networks === undefined ? describeAffected(effect) : describeBystanders(effect)}{' '}
            {rule.mode === 'dry_run' ? (
              'It’s a dry run: it counts requests, but lets them through.'
            ) : (
              <>
                {liveSince !== null && (
                  <>
                    Published <RelativeTime time={liveSince} />.{' '}
                  </>
                )}
                No matching request has come in since.
              </>
            )}
            {!isConnected && (
              <>
                {' '}
                <TextLink
                  to="/projects/$projectId/robots"
                  params={{ projectId: project.id }}
                  search={{ view: 'proxy' }}
                  inherit
                >
                  Connect your proxy
                </TextLink>{' '}
                so that it takes effect.
              </>
            )}
          </>
        }
      >
        {matching === 0 ? (
          `None of the ${formatCount(forecast.visits)} requests in the last ${days} days match this rule.`
        ) : (
          <>
            <strong>
              {acted === 0 ? 'None' : formatCount(acted)} of{' '}
              {hasList ? (
                <TextLink {...listLink(project.id, forecast)(toFilters({ address: networks }))} inherit>
                  {formatCount(matching)}
                </TextLink>
              ) : (
                formatCount(matching)
              )}
            </strong>{' '}
            matching requests in the last {days} days would have been{' '}
            {acted === 0 ? 'affected' : describeOutcomes(outcomes)}. {describeOthers(effect)}
          </>
        )}
      </Answer>
      {acted > 0 && (
        <Card withBorder>
          <TimeChart
            title="Affected requests"
            series={OUTCOME_SERIES.filter(({ key }) => key !== 'allowed' && outcomes[key] > 0)}
            items={forecast.series.map(({ time, outcomes: values }) => ({ time, values }))}
            times={{ bucket: forecast.bucket, projectZone: project.time_zone, timeZone: project.time_zone }}
            range={forecast}
            isTable={isTable}
            onTable={setIsTable}
          />
        </Card>
      )}
      {acted > 0 && (
        <AffectedAgents projectId={project.id} effect={effect} title="Who would have been affected" range={forecast} />
      )}
    </Stack>
  );
}

/** Maximum number of networks that are listed. */
const MAX_NETWORKS = 3;

type AffectedAgent = PolicyForecast['rules'][number]['agents'][number];

interface AffectedAgentsProps {
  projectId: string;
  effect: RuleEffect;
  title: string;
  /** Replayed period. */
  range: LinkedRange;
}

/** Agents, networks and examples of the requests that a rule would affect. */
export function AffectedAgents({ projectId, effect, title, range }: AffectedAgentsProps) {
  const { agents, examples, networks } = effect;
  const toList = listLink(projectId, range);
  const { query } = useRecentAgents(projectId);
  const columns: readonly TableColumn<AffectedAgent>[] = [
    {
      key: 'agent',
      label: 'Visitor',
      isHead: true,
      cell: ({ agent_token: token }) => (
        <MarkedName
          name={token ?? '?'}
          operator={query.data?.agents.find((agent) => agent.agent_token === token)?.operator_name}
        >
          {token ?? 'Unknown visitors'}
        </MarkedName>
      ),
    },
    { key: 'result', label: 'Verification', cell: ({ result }) => <Verdict result={result} /> },
    {
      key: 'visits',
      label: 'Requests',
      isNumber: true,
      value: ({ visits }) => visits,
      narrow: { after: ' requests' },
    },
  ];
  return (
    <Section
      title={title}
      lead={
        <>
          For example:{' '}
          {examples.map(({ visit_id: visit, path }) => (
            <TextLink
              key={visit}
              to="/projects/$projectId/visits"
              params={{ projectId }}
              search={{ visit }}
              inherit
              mr={8}
            >
              {path}
            </TextLink>
          ))}
        </>
      }
    >
      <DataTable
        label={title}
        initial="visits"
        columns={columns}
        rows={agents}
        rowKey={({ agent_token: token, result }) => `${token} ${result}`}
        pageSize={10}
        phone={['agent visits', 'result result']}
      />
      {networks.length > 0 && (
        <Text size="sm">
          {networks[0]!.visits === effect.acted ? 'All' : 'Most'} came from{' '}
          {networks
            .slice(0, networks[0]!.visits === effect.acted ? 1 : MAX_NETWORKS)
            .map(({ network, visits }, index) => (
              <Fragment key={network}>
                {index > 0 && ', '}
                <TextLink {...toList(toFilters({ address: [network] }))} inherit>
                  {network}
                </TextLink>{' '}
                ({formatCount(visits)})
              </Fragment>
            ))}
          .
        </Text>
      )}
    </Section>
  );
}
