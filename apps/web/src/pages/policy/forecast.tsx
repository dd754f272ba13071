import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PolicyForecast } from '#libs/contracts';
import { client, data } from '../../api/client.js';
import type { PolicyRule } from '../../api/policy.js';
import { formatBytes } from '../../format/bytes.js';
import { formatCount } from '../../format/count.js';
import { formatDuration } from '../../format/duration.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { Outcomes } from './outcomes.js';
import { OUTCOME_LABELS, OUTCOMES } from './rule-text.js';

type RuleForecast = PolicyForecast['rules'][number];
type AgentForecast = PolicyForecast['agents'][number];

const PERIODS = [1, 7, 30].map((days) => ({ value: String(days), label: days === 1 ? '1 day' : `${days} days` }));

interface ForecastProps {
  projectId: string;
  /** Rules to replay, including unsaved changes. */
  rules: PolicyRule[];
}

/** Policy lab: replays the visits of the past through the rules. */
export default function Forecast({ projectId, rules }: ForecastProps) {
  const [days, setDays] = useState('7');
  const trial = useMutation({
    mutationFn: () =>
      data(
        client.POST('/api/projects/{id}/policy-trials', {
          params: { path: { id: projectId } },
          body: { rules, days: Number(days) },
        }),
      ),
  });
  return (
    <Section
      title="Policy lab"
      lead="Replays stored visits through your rules, as if all rules in dry run were live. Includes unpublished changes."
    >
      <Group gap="xs" align="flex-end">
        <NativeSelect
          label="Period"
          data={PERIODS}
          value={days}
          onChange={({ currentTarget }) => setDays(currentTarget.value)}
        />
        <Button variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
          Replay visits
        </Button>
      </Group>
      {trial.isError && <Failure error={trial.error} />}
      {trial.isSuccess && <Result projectId={projectId} rules={rules} forecast={trial.data} />}
      <Outcomes projectId={projectId} rules={rules} />
    </Section>
  );
}

const outcomeColumns = <T extends Pick<RuleForecast, 'outcomes'>>(): TableColumn<T>[] =>
  OUTCOMES.map((outcome) => ({
    key: outcome,
    label: OUTCOME_LABELS[outcome],
    cell: ({ outcomes }: T) => formatCount(outcomes[outcome]),
  }));

const AGENT_COLUMNS: readonly TableColumn<AgentForecast>[] = [
  { key: 'agent', label: 'Agent', isHead: true, cell: ({ agent_token: token }) => token ?? 'Unknown visitors' },
  ...outcomeColumns<AgentForecast>(),
];

function Result({ projectId, rules, forecast }: ForecastProps & { forecast: PolicyForecast }) {
  const findName = (id: string): string =>
    rules.find((rule) => rule.id === id)?.name ??
    `Exception to ${rules.find(({ exceptions }) => exceptions?.some((one) => one.id === id))?.name ?? 'a rule'}`;
  const columns: readonly TableColumn<RuleForecast>[] = [
    { key: 'rule', label: 'Rule', isHead: true, cell: ({ rule_id: id }) => findName(id) },
    ...outcomeColumns<RuleForecast>(),
    { key: 'bytes', label: 'Saved', cell: ({ bytes }) => formatBytes(bytes) },
    { key: 'time', label: 'Server time', cell: ({ milliseconds }) => formatDuration(milliseconds) },
    { key: 'referrals', label: 'Referrals at risk', cell: ({ referrals_at_risk: count }) => formatCount(count) },
    {
      key: 'visits',
      label: 'Visits',
      cell: ({ rule_id: id, visit_ids: visits }) =>
        visits.map((visit, index) => (
          <TextLink
            key={visit}
            to="/projects/$projectId/visits"
            params={{ projectId }}
            search={{ visit }}
            size="sm"
            mr={6}
            aria-label={`Visit ${index + 1} that ${findName(id)} would act on`}
          >
            {index + 1}
          </TextLink>
        )),
    },
  ];
  return (
    <Stack gap="sm" role="status">
      <Text size="sm">
        {forecast.is_complete
          ? `Replayed all ${formatCount(forecast.visits)} visits.`
          : `Replayed only the newest ${formatCount(forecast.visits)} visits, since ${new Date(forecast.from).toLocaleString()}.`}
      </Text>
      {forecast.rules.length === 0 ? (
        <Text size="sm">No rule would have applied to any of them.</Text>
      ) : (
        <>
          <DataTable
            label="Forecast by rule"
            columns={columns}
            rows={forecast.rules}
            rowKey={({ rule_id: id }) => id}
            phone="scroll"
          />
          <DataTable
            label="Forecast by agent"
            columns={AGENT_COLUMNS}
            rows={forecast.agents}
            rowKey={({ agent_token: token }) => token ?? ''}
            phone="scroll"
          />
        </>
      )}
      <Text size="sm" c="dimmed">
        Counts are exact for the replayed visits. The future can differ, because agents react to rules: some slow down,
        some stop, and some come back under another name. Saved bytes and server time are those of the visits that would
        not have been answered as before. Referrals at risk are the visitors that assistants of the same operators sent.
      </Text>
    </Stack>
  );
}
