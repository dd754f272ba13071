import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getLoadCost, hasPrices } from '#libs/contracts/load-cost';
import type { Project } from '../../api/client.js';
import { policyQuery, type PolicyRule } from '../../api/policy.js';
import type { OutcomeCounts, PolicyForecast } from '../../api/policy-forecast.js';
import { formatBytes } from '../../format/bytes.js';
import { formatCount } from '../../format/count.js';
import { formatDuration } from '../../format/duration.js';
import { formatAmount } from '../../format/money.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import effect from './effect/effect.module.css';
import { countActed, OUTCOME_SERIES } from '../../rules/outcomes.js';
import classes from './policy.module.css';
import { useRecentAgents } from '../../rules/recent-agents.js';

type RuleForecast = PolicyForecast['rules'][number];
type AgentForecast = PolicyForecast['agents'][number];

/** Columns for the requests that rules act on. The bars of a table have the same scale. */
function createOutcomeColumns<T extends { outcomes: OutcomeCounts }>(rows: readonly T[]): TableColumn<T>[] {
  const largest = Math.max(...rows.map(({ outcomes }) => countActed(outcomes)));
  return [
    {
      key: 'acted',
      label: 'Requests affected',
      isNumber: true,
      value: ({ outcomes }) => countActed(outcomes),
      narrow: { after: ' affected' },
    },
    {
      key: 'outcome',
      label: 'Outcome',
      cell: ({ outcomes }) => <OutcomeBar outcomes={outcomes} largest={largest} />,
    },
  ];
}

function OutcomeBar({ outcomes, largest }: { outcomes: OutcomeCounts; largest: number }) {
  const parts = OUTCOME_SERIES.filter(({ key }) => key !== 'allowed' && outcomes[key] > 0);
  return (
    <>
      <span className={effect['bar']} aria-hidden="true">
        {parts.map(({ key, color }) => (
          <span key={key} style={{ width: `${(100 * outcomes[key]) / largest}%`, background: color }} />
        ))}
      </span>
      <Text size="xs" c="dimmed" className={classes['counts']}>
        {[...parts, ...OUTCOME_SERIES.filter(({ key }) => key === 'allowed' && outcomes.allowed > 0)]
          .map(({ key, label }) => `${formatCount(outcomes[key])} ${label.toLowerCase()}`)
          .join(', ')}
      </Text>
    </>
  );
}

/** Asking an operator's agents to pay doesn't put the people that it sends at risk. */
const countAtRisk = ({ outcomes, referrals_at_risk: count }: RuleForecast): number =>
  outcomes.charged === countActed(outcomes) ? 0 : count;

interface ForecastByRuleProps {
  project: Project;
  rules: readonly PolicyRule[];
  forecast: PolicyForecast;
  /** Compares the replayed requests of a rule with the recorded ones. */
  compare: (rule: PolicyRule) => string | null;
}

/** Table of the rules that would have matched, with their savings and the referrals at risk. */
export function ForecastByRule({ project, rules, forecast: { rules: rows }, compare }: ForecastByRuleProps) {
  if (rows.length === 0) return <Text size="sm">No rule matched any of these requests.</Text>;
  const toCost = ({ bytes, milliseconds }: RuleForecast): number | null =>
    getLoadCost({ bytes, server_time_ms: milliseconds }, project);
  const largestSize = Math.max(...rows.map(({ bytes }) => bytes));
  const columns: readonly TableColumn<RuleForecast>[] = [
    {
      key: 'rule',
      label: 'Rule',
      isHead: true,
      cell: ({ rule_id: id }) => {
        const live = rules.find((rule) => rule.id === id && rule.mode === 'live');
        const difference = live === undefined ? null : compare(live);
        return (
          <>
            <RuleName projectId={project.id} id={id} rules={rules} />
            {difference !== null && (
              <Text size="xs" c="dimmed" maw={260}>
                {difference}
              </Text>
            )}
          </>
        );
      },
    },
    ...createOutcomeColumns(rows),
    ...(hasPrices(project)
      ? [
          {
            key: 'cost',
            label: 'Saved',
            isNumber: true,
            value: toCost,
            cell: (row: RuleForecast) => formatAmount(toCost(row) ?? 0, project.currency),
          } as const,
        ]
      : []),
    {
      key: 'bytes',
      label: 'Data',
      isNumber: true,
      value: ({ bytes }) => bytes,
      cell: ({ bytes }) => formatBytes(bytes, largestSize),
    },
    {
      key: 'time',
      label: 'Server time',
      isNumber: true,
      value: ({ milliseconds }) => Math.round(milliseconds),
      cell: ({ milliseconds }) => formatDuration(milliseconds),
    },
    {
      key: 'referrals',
      label: 'Referrals at risk',
      isNumber: true,
      value: countAtRisk,
      cell: (row) => (countAtRisk(row) === 0 ? null : formatCount(countAtRisk(row))),
      narrow: { after: ' referrals at risk' },
    },
    {
      key: 'examples',
      label: 'For example',
      cell: ({ examples }) => (
        <span className={classes['examples']}>
          {examples.map(({ visit_id: visit, path }) => (
            <TextLink
              key={visit}
              to="/projects/$projectId/visits"
              params={{ projectId: project.id }}
              search={{ visit }}
              size="sm"
            >
              {path}
            </TextLink>
          ))}
        </span>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label="Forecast by rule"
        initial="acted"
        columns={columns.filter(({ isNumber, value }) => !isNumber || rows.some((row) => value!(row) !== 0))}
        rows={rows}
        rowKey={({ rule_id: id }) => id}
        phone={['rule acted', 'outcome referrals']}
      />
      <Text size="sm" c="dimmed" mt="sm">
        Agents may react: some slow down, some stop, and some come back under another name. A request that matches a
        rule in dry run also counts for the live rule behind it, and several rules can put the same referral at risk.
      </Text>
    </>
  );
}

interface RuleNameProps {
  projectId: string;
  id: string;
  rules: readonly PolicyRule[];
}

function RuleName({ projectId, id, rules }: RuleNameProps) {
  const { data: published } = useQuery(policyQuery(projectId));
  const rule = rules.find((one) => one.id === id || one.exceptions?.some((exception) => exception.id === id));
  if (rule === undefined) return 'Deleted rule';
  const name = rule.id === id ? rule.name : `Exception to ${rule.name}`;
  return (
    <>
      {published?.rules.some((one) => one.id === rule.id) ? (
        <TextLink to="/projects/$projectId/policy/rules/$ruleId" params={{ projectId, ruleId: rule.id }} inherit>
          {name}
        </TextLink>
      ) : (
        name
      )}
      {rule.mode === 'dry_run' && <span className={classes['mode']}> (dry run)</span>}
    </>
  );
}

interface ForecastByAgentProps {
  projectId: string;
  agents: readonly AgentForecast[];
}

/** Table of the agents that the rules would have affected most. */
export function ForecastByAgent({ projectId, agents }: ForecastByAgentProps) {
  const { query } = useRecentAgents(projectId);
  if (agents.length === 0) return <Text size="sm">No agent would have been affected.</Text>;
  const findOperator = (token: string | null): string | null | undefined =>
    query.data?.agents.find((agent) => agent.agent_token === token)?.operator_name;
  const columns: readonly TableColumn<AgentForecast>[] = [
    {
      key: 'agent',
      label: 'Agent',
      isHead: true,
      value: ({ agent_token: token }) => token ?? 'Unknown visitors',
      cell: ({ agent_token: token }) => (
        <MarkedName name={token ?? '?'} operator={findOperator(token)}>
          {token ?? 'Unknown visitors'}
        </MarkedName>
      ),
    },
    ...createOutcomeColumns(agents),
  ];
  return (
    <DataTable
      label="Forecast by agent"
      initial="acted"
      columns={columns}
      rows={agents}
      rowKey={({ agent_token: token }) => token ?? ''}
      pageSize={10}
      phone={['agent acted', 'outcome outcome']}
    />
  );
}
