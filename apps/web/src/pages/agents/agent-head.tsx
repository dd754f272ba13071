import { Anchor, Group, Text } from '@mantine/core';
import { AgentActions } from '../../actions/agent-actions.js';
import type { Project } from '../../api/client.js';
import type { VisitingAgent } from '../../api/statistics.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { AGENT_RESULTS, countVerdicts, sumCounts } from '../../charts/verdict-series.js';
import { Change } from '../../range/change.js';
import { describeCauses, toCauseFilters } from '../../range/change-causes.js';
import { formatPercent, getResultShare } from '../../format/change.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Stat } from '../../ui/stat.js';
import { TextLink } from '../../ui/text-link.js';
import { Verdict } from '../../ui/verdict.js';
import type { AgentSearch } from './search.js';

interface AgentHeadProps {
  project: Project;
  agent: VisitingAgent;
  /** Date range that the links open. */
  range: LinkedRange;
  timeZone: string;
  /** Name of the comparison range, or null for none. */
  before: string | null;
  /** Actions to open right away. */
  action: AgentSearch['action'];
  onActionClose: () => void;
}

/** Smaller changes aren't explained. */
const MIN_CHANGE = 10;
const MIN_CHANGE_RATIO = 1.5;

const isNotable = (visits: number, previous: number): boolean =>
  Math.abs(visits - previous) >= MIN_CHANGE &&
  Math.max(visits, previous) >= MIN_CHANGE_RATIO * Math.min(visits, previous);

export function AgentHead({ project, agent, range, timeZone, before, action, onActionClose }: AgentHeadProps) {
  const { id: projectId } = project;
  const { visits, previous_visits: previous } = agent;
  const name = agentFilter(agent);
  const counts = countVerdicts(agent);
  const linkToVisits = listLink(projectId, range);
  const previousCounts = countVerdicts(sumCounts(agent.previous_series));
  const causeAddress = toCauseFilters(agent.change_causes).address?.[0];
  const causeFilters = causeAddress === undefined || visits < previous ? null : { address: causeAddress };
  const why = isNotable(visits, previous) ? describeCauses(agent.change_causes) : null;
  const getShare = (result: keyof typeof counts): number | null =>
    getResultShare(counts[result], { of: visits, isVerifiable: agent.is_verifiable });
  return (
    <>
      <Answer
        notes={
          <>
            {before !== null && why !== null && (
              <div>
                {visits > previous ? 'Up' : 'Down'} from {formatCount(previous)} to {formatVisitCount(visits)}:{' '}
                {causeFilters === null ? (
                  why
                ) : (
                  <TextLink {...linkToVisits({ agent: name, ...causeFilters })} inherit>
                    {why}
                  </TextLink>
                )}
              </div>
            )}
            <div>
              {agent.last_seen_at !== null && (
                <>
                  Last visit <RelativeTime time={agent.last_seen_at} />
                </>
              )}
              {agent.last_seen_at !== null && agent.agent_url !== null && ' · '}
              {agent.agent_url !== null && (
                <Anchor href={agent.agent_url} target="_blank" rel="noreferrer" inherit>
                  Operator’s documentation
                </Anchor>
              )}
            </div>
          </>
        }
      >
        {describeIdentity(agent)} {describeTrust(agent, counts)}
      </Answer>
      <Group justify="space-between" align="end" gap="md">
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
              {counts[result] + previousCounts[result] > 0 && (
                <Change
                  current={counts[result]}
                  previous={previousCounts[result]}
                  before={before}
                  {...(result === 'verification_failed' && { good: 'down' })}
                />
              )}
            </div>
          ))}
        </Group>
        <Group gap="md">
          <AgentActions
            project={project}
            loadFinding={async () =>
              (await import('../../actions/agent-findings.js')).toAgentFinding(agent, {
                range: agent,
                timeZone,
                visits: linkToVisits({ agent: name }),
              })
            }
            of={name}
            canBlock={agent.agent_token !== null}
            opened={action}
            onClose={onActionClose}
          />
          <TextLink {...linkToVisits({ agent: name })} size="sm">
            Visits
          </TextLink>
          <TextLink to="/projects/$projectId/realtime" params={{ projectId }} search={{ agent: name }} size="sm">
            Live visits
          </TextLink>
        </Group>
      </Group>
    </>
  );
}

const describeIdentity = ({ agent_token: token, agent_type_name: type, operator_name: operator }: VisitingAgent) =>
  token === null ? 'No longer in the catalog.' : `${[type, operator && `by ${operator}`].filter(Boolean).join(' ')}.`;

/** Returns a sentence about the visits that are genuine, and those that may not be. */
function describeTrust(
  { visits, is_verifiable: isVerifiable }: VisitingAgent,
  counts: ReturnType<typeof countVerdicts>,
): string | null {
  if (visits === 0) return null;
  const shares = AGENT_RESULTS.flatMap((result) =>
    counts[result] === 0 ? [] : `${formatPercent(counts[result] / visits)} ${TRUST_TEXTS[result]}`,
  );
  if (!isVerifiable && counts.not_verifiable === visits) return 'Its visits can’t be verified.';
  return `Of ${formatVisitCount(visits)}, ${shares.join(', ')}.`;
}

const TRUST_TEXTS: Record<(typeof AGENT_RESULTS)[number], string> = {
  verified: 'are verified',
  not_verifiable: 'can’t be verified',
  verification_failed: 'are spoofed',
};
