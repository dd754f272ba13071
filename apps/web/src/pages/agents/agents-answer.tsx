import { useQuery } from '@tanstack/react-query';
import { RESULTS } from '#libs/agents/vocabulary';
import { overviewQuery } from '../../api/statistics.js';
import { AGENT_RESULTS, VERDICT_COLORS } from '../../charts/verdict-series.js';
import { formatPercent } from '../../format/change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { Change } from '../../range/change.js';
import { useEarlierData } from '../../range/earlier-data.js';
import { agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import { Answer } from '../../ui/answer.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './agents.module.css';

interface AgentsAnswerProps {
  projectId: string;
  shown: ShownRange;
  linked: LinkedRange;
  before: string | null;
  /** Range in words, such as "in the last 30 days". */
  when: string;
}

/** Sentence about all agents that visited, with the share of each verdict as the legend of the table's bars. */
export function AgentsAnswer({ projectId, shown, linked, before, when }: AgentsAnswerProps) {
  const { data: overview } = useQuery(overviewQuery(projectId, shown));
  const hasEarlierData = useEarlierData(projectId, overview, shown);
  if (overview === undefined || overview.current.agents === 0) return null;
  const { current, previous, top_agents: topAgents } = overview;
  const [top] = topAgents.toSorted((one, other) => other.visits - one.visits);
  return (
    <Answer
      notes={
        <ul className={classes['legend']}>
          {AGENT_RESULTS.map((result) => (
            <li key={result} style={{ '--color': VERDICT_COLORS[result] } as object}>
              {RESULTS[result].label} {formatPercent(current[result] / current.agent_visits)}
            </li>
          ))}
        </ul>
      }
    >
      {formatCount(current.agents)} {current.agents === 1 ? 'agent' : 'agents'} made{' '}
      {formatVisitCount(current.agent_visits)}{' '}
      {before !== null && (
        <>
          (
          <Change
            current={current.agent_visits}
            previous={previous.agent_visits}
            before={before}
            hasEarlierData={hasEarlierData}
          />
          ){' '}
        </>
      )}
      {when}
      {top?.agent_token && (
        <>
          , led by{' '}
          <TextLink {...agentLink(projectId, top.agent_id, linked)} inherit>
            {top.agent_token}
          </TextLink>{' '}
          ({formatCount(top.visits)}
          {top.verification_failed > 0 && (
            <>
              , including{' '}
              <TextLink
                {...listLink(projectId, linked)({ agent: top.agent_token, result: 'verification_failed' })}
                c="var(--failed)"
                inherit
              >
                {formatCount(top.verification_failed)} that failed verification
              </TextLink>
            </>
          )}
          )
        </>
      )}
      .
    </Answer>
  );
}
