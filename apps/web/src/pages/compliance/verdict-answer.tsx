import { use } from 'react';
import type { Compliance, ComplianceAgent } from '../../api/compliance.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import { areAllBlocked, countJudged } from '../../rules/judged-visits.js';
import { COUNT_FILTERS, forAgent, forCrawlers, visitsLink } from '../../rules/judged-visit-links.js';

/** Number of agents named in the sentence. */
const MAX_NAMED = 4;

interface VerdictAnswerProps {
  projectId: string;
  compliance: Compliance;
  linked: LinkedRange;
  /** Range in words, such as "in the last 30 days". */
  when: string;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
}

/** Sentence that names the agents that ignored robots.txt. */
export function VerdictAnswer({ projectId, compliance, linked, when, before }: VerdictAnswerProps) {
  const hasEarlierData = use(EarlierDataContext);
  const link = visitsLink(projectId, linked);
  const all = compliance.agents.filter((agent) => countJudged(agent) > 0);
  const crawlers = all.filter((agent) => !agent.is_user_triggered);
  const others = all.length - crawlers.length;
  const unjudged = compliance.agents.filter((agent) => countJudged(agent) === 0);
  const violators = compliance.agents.filter((agent) => agent.disallowed > 0);
  const ignoring = violators.filter((agent) => !agent.is_user_triggered);
  const onBehalf = violators.filter((agent) => agent.is_user_triggered);
  const toItem = (agent: ComplianceAgent, isFirst: boolean) => ({
    key: agent.agent_id,
    content: (
      <>
        {getAgentName(agent)} (
        <TextLink {...link(forAgent(agent, COUNT_FILTERS.disallowed))} inherit>
          {isFirst ? formatVisitCount(agent.disallowed) : formatCount(agent.disallowed)}
        </TextLink>
        )
      </>
    ),
  });
  const list = (agents: readonly ComplianceAgent[]) => (
    <Listing items={agents.map((agent, index) => toItem(agent, index === 0))} limit={MAX_NAMED} />
  );
  const { disallowed_served: served } = compliance.totals;
  const spoofed = compliance.totals.spoofed_disallowed;
  return (
    <Answer
      notes={
        <>
          {others > 0 && (
            <p>
              {crawlers.length === 0
                ? 'These agents only fetch pages when a person asks, so they don’t count'
                : others === 1
                  ? '1 other agent only fetches pages when a person asks, so it doesn’t count'
                  : `${formatCount(others)} other agents only fetch pages when a person asks, so they don’t count`}{' '}
              as ignoring robots.txt
              {onBehalf.length > 0 && <>. Disallowed pages were fetched by {list(onBehalf)}</>}.
            </p>
          )}
          {unjudged.length > 0 && (
            <p>
              <Listing
                items={unjudged.map((agent) => ({ key: agent.agent_id, content: getAgentName(agent) }))}
                limit={MAX_NAMED}
              />{' '}
              {unjudged.length === 1 ? 'isn’t' : 'aren’t'} counted:{' '}
              {unjudged.every(isOnlySpoofed)
                ? `all ${unjudged.length === 1 ? 'its' : 'their'} visits failed verification.`
                : `none of ${unjudged.length === 1 ? 'its' : 'their'} visits could be checked against robots.txt.`}
            </p>
          )}
          {spoofed > 0 && (
            <p>
              <TextLink {...link(COUNT_FILTERS.spoofed)} inherit>
                {formatCount(spoofed)} more disallowed {spoofed === 1 ? 'visit' : 'visits'}
              </TextLink>{' '}
              failed verification, so {spoofed === 1 ? 'it isn’t' : 'they aren’t'} counted here.
            </p>
          )}
          {before !== null && !hasEarlierData && <p>There’s no earlier data to compare with.</p>}
        </>
      }
    >
      {crawlers.length === 0 ? (
        <>Only agents that fetch on behalf of people visited {when}.</>
      ) : ignoring.length === 0 ? (
        <>
          {crawlers.length === 1
            ? 'The only crawler didn’t ignore'
            : `None of the ${formatCount(crawlers.length)} crawlers ignored`}{' '}
          robots.txt {when}.
        </>
      ) : (
        <>
          {formatCount(ignoring.length)} of {formatCount(crawlers.length)} crawlers ignored robots.txt {when}:{' '}
          {list(ignoring)}.{' '}
          {served === 0 ? (
            areAllBlocked(compliance.totals) ? (
              describeBlocked(compliance.totals.disallowed)
            ) : (
              `${compliance.totals.disallowed === 1 ? 'It wasn’t' : 'None of these visits was'} served.`
            )
          ) : (
            <>
              Your site served{' '}
              <TextLink {...link(forCrawlers(compliance.agents, COUNT_FILTERS.served))} inherit>
                {served === compliance.totals.disallowed && served > 1 ? 'all' : formatCount(served)}
              </TextLink>{' '}
              of {compliance.totals.disallowed === 1 ? '1 visit' : 'these visits'}.
            </>
          )}
        </>
      )}
    </Answer>
  );
}

const isOnlySpoofed = ({ unreachable, unknown }: ComplianceAgent): boolean => unreachable + unknown === 0;

const describeBlocked = (visits: number): string =>
  visits === 1 ? 'The visit was blocked.' : `All ${formatCount(visits)} visits were blocked.`;

export const getAgentName = ({ agent_token: token }: Pick<ComplianceAgent, 'agent_token'>): string =>
  token ?? 'No longer in the catalog';
