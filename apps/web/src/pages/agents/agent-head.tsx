import { Anchor, Group, Text } from '@mantine/core';
import type { VisitingAgent } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { AGENT_RESULTS, countVerdicts } from '../../charts/verdict-series.js';
import { Change } from '../../range/change.js';
import { formatPercent, getResultShare } from '../../format/change.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Stat } from '../../ui/stat.js';
import { TextLink } from '../../ui/text-link.js';
import { Verdict } from '../../ui/verdict.js';

interface AgentHeadProps {
  projectId: string;
  agent: VisitingAgent;
  /** Date range that the links open. */
  range: LinkedRange;
  /** Name of the comparison range, or null for none. */
  before: string | null;
}

export function AgentHead({ projectId, agent, range, before }: AgentHeadProps) {
  const { visits, previous_visits: previous } = agent;
  const name = agentFilter(agent);
  const counts = countVerdicts(agent);
  const linkToVisits = listLink(projectId, range);
  const getShare = (result: keyof typeof counts): number | null =>
    getResultShare(counts[result], { of: visits, isVerifiable: agent.is_verifiable });
  return (
    <>
      <Text size="sm">
        {[agent.agent_type_name, agent.operator_name && `by ${agent.operator_name}`].filter(Boolean).join(' ')}
        {agent.agent_token === null && ' It’s no longer in the catalog.'}
        {agent.agent_url !== null && (
          <>
            {' · '}
            <Anchor href={agent.agent_url} target="_blank" rel="noreferrer">
              Operator documentation
            </Anchor>
          </>
        )}
      </Text>
      <Group gap="xl" align="start">
        <div>
          <Stat label="Visits" value={visits} />
          <Change current={visits} previous={previous} before={before} />
        </div>
        {AGENT_RESULTS.map((result) => (
          <div key={result}>
            <Text size="xs" component="div">
              <Verdict result={result} />
            </Text>
            <Text fw={600} className="numbers">
              {counts[result] === 0 ? (
                0
              ) : (
                <TextLink {...linkToVisits({ agent: name, result })} c="inherit">
                  {formatCount(counts[result])}
                  <span className="unseen"> visits</span>
                </TextLink>
              )}{' '}
              <Text span size="xs" c="dimmed" fw={400}>
                {visits > 0 && formatPercent(getShare(result))}
              </Text>
            </Text>
          </div>
        ))}
        {agent.last_seen_at !== null && (
          <div>
            <Text size="xs" c="dimmed">
              Last seen in this range
            </Text>
            <Text fw={600}>
              <RelativeTime time={agent.last_seen_at} />
            </Text>
          </div>
        )}
      </Group>
      <Group gap="md">
        <TextLink {...linkToVisits({ agent: name })} size="sm">
          Visits
        </TextLink>
        <TextLink to="/projects/$projectId/realtime" params={{ projectId }} search={{ agent: name }} size="sm">
          Live visits
        </TextLink>
        {agent.agent_token !== null && (
          <Anchor href="#how-it-is-verified" size="sm">
            How it is verified
          </Anchor>
        )}
      </Group>
    </>
  );
}
