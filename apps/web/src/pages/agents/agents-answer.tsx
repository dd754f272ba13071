import { RESULTS } from '#libs/agents/vocabulary';
import { BlockImpostors } from '../../actions/block-impostors.js';
import type { Project } from '../../api/client.js';
import type { Overview } from '../../api/statistics.js';
import { AGENT_RESULTS, VERDICT_COLORS } from '../../charts/verdict-series.js';
import { formatPercent } from '../../format/change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { describeChange } from '../../format/describe-change.js';
import { agentFilter, agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './agents.module.css';

interface AgentsAnswerProps {
  project: Project;
  overview: Overview;
  linked: LinkedRange;
  timeZone: string;
  /** Name of the comparison range, or null for none. */
  before: string | null;
  hasEarlierData: boolean;
  /** Range in words, such as "in the last 30 days". */
  when: string;
}

/** Sentence about all agents that visited, with the share of each verdict as the legend of the table's bars. */
export function AgentsAnswer(props: AgentsAnswerProps) {
  const { project, overview, linked, timeZone, before, hasEarlierData, when } = props;
  const { current, previous, top_agents: topAgents } = overview;
  if (current.agents === 0) return null;
  const [top] = topAgents.toSorted((one, other) => other.visits - one.visits);
  const visits = listLink(project.id, linked);
  const name = top?.agent_token != null && (
    <TextLink {...agentLink(project.id, top.agent_id, linked)} inherit>
      {top.agent_token}
    </TextLink>
  );
  const isOnly = current.agents === 1 && name !== false;
  return (
    <Answer
      notes={
        <ul className={classes['legend']}>
          {AGENT_RESULTS.map((result) => (
            <li key={result} style={{ '--color': VERDICT_COLORS[result] } as object}>
              {RESULTS[result].label} {formatPercent(current[result] / current.agent_visits)}
            </li>
          ))}
          {before !== null && !hasEarlierData && <li data-plain>No earlier data to compare with</li>}
        </ul>
      }
    >
      {isOnly ? name : `${formatCount(current.agents)} ${current.agents === 1 ? 'agent' : 'agents'}`} made{' '}
      {formatVisitCount(current.agent_visits)} {when}
      {before !== null && hasEarlierData && `, ${describeChange(current.agent_visits, previous.agent_visits)}`}
      {!isOnly && '.'}
      {top !== undefined && name !== false && (
        <>
          {!isOnly && (
            <>
              {' '}
              {name} made the most ({formatCount(top.visits)})
            </>
          )}
          {top.verification_failed > 0 && (
            <>
              , but{' '}
              <TextLink
                {...visits({ agent: agentFilter(top), result: 'verification_failed' })}
                c="var(--failed)"
                inherit
              >
                {top.verification_failed === top.visits ? 'all of them' : formatCount(top.verification_failed)}
              </TextLink>{' '}
              failed verification
            </>
          )}
          .{' '}
          {top.verification_failed > 0 && (
            <BlockImpostors
              project={project}
              agent={top}
              failed={top.verification_failed}
              range={overview}
              timeZone={timeZone}
              visits={visits({ agent: agentFilter(top), result: 'verification_failed' })}
            />
          )}
        </>
      )}
    </Answer>
  );
}
