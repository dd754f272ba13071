import { use, type ReactNode } from 'react';
import type { Overview } from '../../api/statistics.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { formatCount, formatEstimate } from '../../format/count.js';
import { describeChange } from '../../format/describe-change.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { Answer } from '../../ui/answer.js';
import { TextLink } from '../../ui/text-link.js';
import { countMatches, findMainPage, type FilteredCause } from './filtered-cause.js';
import { listLeaders } from './main-cause.js';
import type { NewsLink } from './news-link.js';
import { isChangeExplained } from './overview-answer.js';

interface FilteredAnswerProps {
  overview: Overview;
  cause: FilteredCause | null;
  hasUnknown: boolean;
  isCompared: boolean;
  toAgentLink: (agentId: string) => NewsLink;
  toVisitsLink: (more: FilterSet) => NewsLink;
  /** The most important thing to do about the visits. */
  nextStep: ReactNode;
}

/** Sums up how many visits match the filters, and what explains the change. */
export function FilteredAnswer(props: FilteredAnswerProps) {
  const { overview, cause, hasUnknown, isCompared, toAgentLink, toVisitsLink, nextStep } = props;
  const hasEarlierData = use(EarlierDataContext);
  const { visits, previous } = countMatches(overview, hasUnknown);
  const { agents, agent_visits: agentVisits } = overview.current;
  const [agent] = overview.top_agents;
  const isOneAgent = agents === 1 && agent?.agent_token != null && visits === agentVisits;
  const count = formatEstimate(visits, overview.sample?.is_estimated === true);
  const isExplained = isChangeExplained(overview, isCompared && hasEarlierData, hasUnknown);
  return (
    <Answer>
      {count} {isOneAgent ? '' : 'matching '}
      {visits === 1 ? 'visit' : 'visits'}
      {isOneAgent ? (
        <>
          {' by '}
          <TextLink {...toAgentLink(agent.agent_id)} inherit>
            {agent.agent_token}
          </TextLink>
        </>
      ) : agentVisits === 0 ? (
        ' by unknown visitors'
      ) : (
        visits === agentVisits && ` by ${formatCount(agents)} ${agents === 1 ? 'agent' : 'agents'}`
      )}
      {isCompared && hasEarlierData && `, ${describeChange(visits, previous)}`}
      {isExplained &&
        (cause === null ? (
          describeSpread(overview, visits - previous)
        ) : (
          <>
            , mostly because of{' '}
            <TextLink {...toVisitsLink({ address: [cause.network] })} inherit>
              {cause.network}
            </TextLink>
            {cause.effect}
          </>
        ))}
      . {cause !== null && nextStep}
    </Answer>
  );
}

/** Describes what explains a change that no network explains: a page, or the agents that changed most. */
function describeSpread({ top_agents: agents, top_pages: pages, sample }: Overview, change: number): string {
  const page = sample?.is_estimated === true ? null : findMainPage(change, pages);
  if (page !== null) return `, mostly on ${page}`;
  const leaders = agents.length > 1 ? listLeaders(change, agents) : [];
  return leaders.length > 0 ? `, led by ${leaders.join(' and ')}` : '';
}
