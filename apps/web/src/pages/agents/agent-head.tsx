import { Anchor } from '@mantine/core';
import { use } from 'react';
import type { Project } from '../../api/client.js';
import type { VisitingAgent } from '../../api/statistics.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { VerdictFigures } from '../../charts/verdict-figures.js';
import { AGENT_RESULTS, countVerdicts, sumCounts } from '../../charts/verdict-series.js';
import { Change } from '../../range/change.js';
import { describeCauses, describeCausesOrSpread, toCauseFilters } from '../../range/change-causes.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { formatPercent } from '../../format/change.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Figure } from '../../ui/figure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';
import { describeNewNetwork } from './new-network.js';

interface AgentHeadProps {
  project: Project;
  agent: VisitingAgent;
  /** Date range that the links open. */
  range: LinkedRange;
  /** Name of the comparison range, or null for none. */
  before: string | null;
}

/** Smaller changes aren't explained. */
const MIN_CHANGE = 10;
const MIN_CHANGE_RATIO = 1.2;

const isNotable = (visits: number, previous: number): boolean =>
  Math.abs(visits - previous) >= MIN_CHANGE &&
  Math.max(visits, previous) >= MIN_CHANGE_RATIO * Math.min(visits, previous);

export function AgentHead({ project: { id: projectId }, agent, range, before }: AgentHeadProps) {
  const { visits, previous_visits: previous } = agent;
  const hasEarlierData = use(EarlierDataContext);
  const name = agentFilter(agent);
  const counts = countVerdicts(agent);
  const linkToVisits = listLink(projectId, range);
  const previousCounts = countVerdicts(sumCounts(agent.previous_series));
  const causeAddress = toCauseFilters(agent.change_causes).address?.[0];
  const causeFilters = causeAddress === undefined || visits < previous ? null : { address: causeAddress };
  const explanation = describeNewNetwork(agent) ?? describeCauses(agent.change_causes);
  const why = isNotable(visits, previous) ? (explanation ?? describeCausesOrSpread(agent.change_causes)) : null;
  const results = AGENT_RESULTS.filter((result) => counts[result] + previousCounts[result] > 0);
  return (
    <>
      <Answer
        notes={
          <>
            {before !== null && hasEarlierData && why !== null && (
              <div>
                Visits {visits > previous ? 'rose' : 'fell'} from {formatCount(previous)} to {formatCount(visits)}
                {explanation === null ? ', ' : ': '}
                {causeFilters === null ? (
                  why
                ) : (
                  <TextLink {...linkToVisits({ agent: name, ...causeFilters })} inherit>
                    {why}
                  </TextLink>
                )}
                .
              </div>
            )}
            <div>
              {agent.last_seen_at !== null && (
                <>
                  Last visit <RelativeTime time={agent.last_seen_at} /> ·{' '}
                </>
              )}
              <TextLink to="/projects/$projectId/realtime" params={{ projectId }} search={{ agent: name }} inherit>
                Live visits
              </TextLink>
              {agent.agent_url !== null && (
                <>
                  {' · '}
                  <Anchor href={agent.agent_url} target="_blank" rel="noreferrer" inherit>
                    Operator’s documentation
                  </Anchor>
                </>
              )}
            </div>
          </>
        }
      >
        {describeIdentity(agent)}{' '}
        {counts.verification_failed > 0 && counts.verification_failed < visits && (
          <>
            <TextLink {...linkToVisits({ agent: name, result: 'verification_failed' })} c="var(--failed)" inherit>
              {formatCount(counts.verification_failed)}
            </TextLink>{' '}
            of {formatVisitCount(visits)} failed verification.
          </>
        )}
        {describeTrust(agent, counts)}
      </Answer>
      <VerdictFigures
        results={results}
        counts={counts}
        previous={previousCounts}
        series={agent.series.map(countVerdicts)}
        isVerifiable={agent.is_verifiable}
        before={before}
        toLink={(result) => linkToVisits({ agent: name, result })}
      >
        <Figure
          label="Visits"
          value={formatCount(visits)}
          link={linkToVisits({ agent: name })}
          trend={agent.series.map((item) => item.visits)}
        >
          <Change current={visits} previous={previous} before={before} />
        </Figure>
      </VerdictFigures>
    </>
  );
}

const describeIdentity = ({ agent_token: token, agent_type_name: type, operator_name: operator }: VisitingAgent) =>
  token === null ? 'No longer in the catalog.' : `${[type, operator && `by ${operator}`].filter(Boolean).join(' ')}.`;

/** Returns a sentence with the share of each result. Null if the headline states how many visits failed verification. */
function describeTrust(
  { visits, is_verifiable: isVerifiable }: VisitingAgent,
  counts: ReturnType<typeof countVerdicts>,
): string | null {
  if (visits === 0) return null;
  if (!isVerifiable && counts.not_verifiable === visits) return 'Its visits can’t be verified.';
  const were = visits > 1 ? 'were' : 'was';
  const outcomes = {
    verified: `${were} verified`,
    not_verifiable: 'couldn’t be verified',
    verification_failed: 'failed verification',
  };
  const occurring = AGENT_RESULTS.filter((result) => counts[result] > 0);
  if (occurring.length === 1) {
    const whose = visits > 1 ? `All ${formatVisitCount(visits)}` : 'Its only visit';
    return `${whose} ${outcomes[occurring[0]!]}.`;
  }
  if (counts.verification_failed > 0) return null;
  const texts = occurring.map((result, index) => {
    const share = formatPercent(counts[result] / visits);
    return `${index === 0 ? `${share} of its ${formatVisitCount(visits)}` : share} ${outcomes[result]}`;
  });
  return `${texts.join(', and ')}.`;
}
