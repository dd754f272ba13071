import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { complianceQuery } from '../../api/compliance.js';
import { formatCount } from '../../format/count.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { createChoice, type Choices, type SitePolicy } from './controls.js';
import { PolicyTable } from './policy-table.js';
import { createRows, type PolicyRow } from './policy-rows.js';

const DAYS = 30;
const HOUR_MS = 3_600_000;

interface PolicyOverviewProps {
  projectId: string;
  policy: SitePolicy;
  choices: Choices;
  isReader: boolean;
  onChoices: (choices: Choices) => void;
}

/** Table of agent types with their visits, the site's response and the agents that ignore it. */
export function PolicyOverview({ projectId, policy, choices, isReader, onChoices }: PolicyOverviewProps) {
  const [range] = useState(() => {
    const to = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
    return { from: new Date(to - DAYS * 24 * HOUR_MS).toISOString(), to: new Date(to).toISOString() };
  });
  const query = useQuery(complianceQuery(projectId, range));
  const rows = useMemo(
    () => (query.data === undefined ? null : createRows(AGENT_TYPES, query.data.agents, policy, choices)),
    [query.data, policy, choices],
  );
  return (
    <Section
      title="Agents"
      lead={
        <>
          How your site responds to each type of agent. “Ask not to visit” is a request in{' '}
          <TextLink to="/projects/$projectId/robots" params={{ projectId }} inherit>
            robots.txt
          </TextLink>
          . Limits, prices and blocks are enforced at{' '}
          <TextLink to="/projects/$projectId/robots" params={{ projectId }} search={{ view: 'proxy' }} inherit>
            your proxy
          </TextLink>
          .
        </>
      }
    >
      {query.isError && (
        <Failure title="Couldn't count the visits" error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton h={320} animate={false} />}
      {rows !== null && (
        <>
          <Summary rows={rows} />
          {policy.selection.disallow !== undefined && policy.selection.disallow !== '/' && (
            <Text size="sm">robots.txt only disallows {policy.selection.disallow || 'nothing'}.</Text>
          )}
          {(policy.selection.agent_behaviors ?? []).length > 0 && (
            <Text size="sm">robots.txt also disallows agents of other types by their behavior.</Text>
          )}
          <PolicyTable
            projectId={projectId}
            range={range}
            rows={rows}
            isReader={isReader}
            onChoice={(type, choice) => {
              const { [type]: _, ...others } = choices;
              onChoices(choice === undefined ? others : { ...others, [type]: choice });
            }}
            onLive={({ type, control: { action } }) => {
              if (action === null || action.kind === 'redirect') return;
              onChoices({ ...choices, [type]: { ...createChoice(action), mode: 'live' } });
            }}
          />
        </>
      )}
    </Section>
  );
}

function Summary({ rows }: { rows: readonly PolicyRow[] }) {
  const agents = rows.reduce((sum, row) => sum + row.agents.length, 0);
  const ignoring = rows.reduce((sum, row) => sum + row.ignoring.length, 0);
  if (agents === 0) return <Text size="sm">No agents visited in the last {DAYS} days.</Text>;
  return (
    <Text size="sm" fw={500}>
      {ignoring === 0
        ? `None of the ${formatCount(agents)} agents that visited in the last ${DAYS} days ignored robots.txt or a refusal.`
        : `${formatCount(ignoring)} of ${formatCount(agents)} agents that visited in the last ${DAYS} days ignored robots.txt or came back after a refusal.`}
    </Text>
  );
}
