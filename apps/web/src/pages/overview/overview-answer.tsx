import { use, type ReactNode } from 'react';
import type { NewsItem, Overview } from '../../api/statistics.js';
import { describeChange } from '../../format/describe-change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { TextLink } from '../../ui/text-link.js';
import { countMatches } from './filtered-cause.js';
import { findMainCause, getAgentVisits, listLeaders, type AgentVisits, type MainCause } from './main-cause.js';
import { describeSpike, formatSpikeDay } from './spikes.js';
import type { ExplainedSpike } from './use-spikes.js';
import type { NewsLink } from './news-link.js';

/** Smaller changes aren't explained. */
const MIN_EXPLAINED_VISITS = 20;
const MIN_EXPLAINED_SHARE = 0.1;

/** Returns true if the number of visits changed so much that the answer explains it, instead of the highest day. */
export function isChangeExplained(overview: Overview, isCompared: boolean, hasUnknown = false): boolean {
  const { visits, previous } = countMatches(overview, hasUnknown);
  const change = Math.abs(visits - previous);
  return isCompared && change >= MIN_EXPLAINED_VISITS && change >= MIN_EXPLAINED_SHARE * previous;
}

interface OverviewAnswerProps {
  projectId: string;
  overview: Overview;
  news: readonly NewsItem[];
  spikes: readonly ExplainedSpike[];
  isCompared: boolean;
  timeZone: string;
  /** @param range Range of the visits. Default: the overview's. */
  toCauseLink: (cause: MainCause, range?: LinkedRange) => NewsLink;
  /** Returns the most important thing to do about the visits. @param subject Network or agent named before, or null. */
  toNextStep: (subject: string | null) => ReactNode;
}

/**
 * Sums up how often agents visited, and what explains the change. If there's no large change, names the highest day, but
 * only with its cause: the next step follows, and would be read as the cause.
 */
export function OverviewAnswer(props: OverviewAnswerProps) {
  const { projectId, overview, news, spikes, isCompared, timeZone, toCauseLink, toNextStep } = props;
  const hasEarlierData = use(EarlierDataContext);
  const { current, previous, top_agents: top } = overview;
  const { agents, agent_visits: visits } = current;
  if (agents === 0) return <Answer>No known agents visited.</Answer>;
  const change = isCompared && hasEarlierData ? visits - previous.agent_visits : 0;
  const isExplained = isChangeExplained(overview, isCompared && hasEarlierData);
  const [spike] = spikes;
  const visitors = getAgentVisits(news, top);
  const cause = isExplained ? findMainCause(change, news, visitors) : (spike?.cause ?? null);
  return (
    <Answer>
      {formatVisitCount(visits)} by {formatCount(agents)} {agents === 1 ? 'agent' : 'agents'}
      {isCompared && hasEarlierData && `, ${describeChange(visits, previous.agent_visits)}`}
      {isExplained && <Cause change={change} cause={cause} agents={visitors} toCauseLink={toCauseLink} />}.
      {!isExplained && spike !== undefined && cause !== null && (
        <>
          {' Visits on '}
          <TextLink
            to="/projects/$projectId/overview"
            params={{ projectId }}
            search={{ from: spike.from, to: spike.to }}
            inherit
          >
            {formatSpikeDay(spike, timeZone)}
          </TextLink>{' '}
          {describeSpike(spike)}, mostly because of{' '}
          <TextLink {...toCauseLink(cause, { from: spike.from, to: spike.to })} inherit>
            {cause.subject}
          </TextLink>
          .
        </>
      )}{' '}
      {toNextStep(cause?.subject ?? null)}
    </Answer>
  );
}

interface CauseProps extends Pick<OverviewAnswerProps, 'toCauseLink'> {
  cause: MainCause | null;
  change: number;
  agents: readonly AgentVisits[];
}

function Cause({ change, cause, agents, toCauseLink }: CauseProps) {
  if (cause !== null) {
    return (
      <>
        , mostly because of{' '}
        <TextLink {...toCauseLink(cause)} inherit>
          {cause.subject}
        </TextLink>
        {cause.effect}
      </>
    );
  }
  const leaders = listLeaders(change, agents);
  return leaders.length > 0 && `, led by ${leaders.join(' and ')}`;
}
