import { Fragment, use, type ReactNode } from 'react';
import type { Compliance, ComplianceAgent } from '../../api/compliance.js';
import { formatCount } from '../../format/count.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Help } from '../../ui/help.js';
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
  const list = (agents: readonly ComplianceAgent[]) => (
    <Listing
      items={agents.map((agent) => ({
        key: agent.agent_id,
        content: (
          <>
            {getAgentName(agent)} (
            <TextLink {...link(forAgent(agent, COUNT_FILTERS.disallowed))} inherit>
              {formatCount(agent.disallowed)}
              <span className="unseen"> disallowed visits</span>
            </TextLink>
            )
          </>
        ),
      }))}
      limit={MAX_NAMED}
    />
  );
  const { disallowed, disallowed_served: served, spoofed_disallowed: spoofed } = compliance.totals;
  const uncounted: readonly (ReactNode | false)[] = [
    others > 0 && (
      <>
        {crawlers.length === 0
          ? others === 1
            ? 'This agent fetches'
            : 'These agents fetch'
          : `${formatCount(others)} other ${others === 1 ? 'agent fetches' : 'agents fetch'}`}{' '}
        pages only when a person asks, so robots.txt doesn’t apply to {others === 1 ? 'it' : 'them'} in the same way
        {onBehalf.length > 0 && <>. Disallowed pages were fetched by {list(onBehalf)}</>}.
      </>
    ),
    unjudged.length > 0 && (
      <>
        <Listing
          items={unjudged.map((agent) => ({ key: agent.agent_id, content: getAgentName(agent) }))}
          limit={MAX_NAMED}
        />{' '}
        {unjudged.length === 1 ? 'isn’t' : 'aren’t'} counted:{' '}
        {unjudged.every(isOnlySpoofed)
          ? `all ${unjudged.length === 1 ? 'its' : 'their'} visits failed verification.`
          : `none of ${unjudged.length === 1 ? 'its' : 'their'} visits could be checked against robots.txt.`}
      </>
    ),
    spoofed > 0 && (
      <>
        <TextLink {...link(COUNT_FILTERS.spoofed)} inherit>
          {formatCount(spoofed)} more disallowed {spoofed === 1 ? 'visit' : 'visits'}
        </TextLink>{' '}
        by impostors {spoofed === 1 ? 'isn’t' : 'aren’t'} counted.
      </>
    ),
  ];
  const notes = uncounted.filter((note) => note !== false);
  return (
    <Answer notes={before !== null && !hasEarlierData && <p>There’s no earlier data to compare with.</p>}>
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
          {formatCount(ignoring.length)} of {formatCount(crawlers.length)} crawlers ignored robots.txt {when}
          {ignoring.length <= MAX_NAMED && (
            <>
              : <Listing items={ignoring.map((agent) => ({ key: agent.agent_id, content: getAgentName(agent) }))} />
            </>
          )}
          .{' '}
          {served === 0 ? (
            areAllBlocked(compliance.totals) ? (
              describeBlocked(disallowed)
            ) : disallowed === 1 ? (
              'The visit wasn’t served.'
            ) : (
              `Your site served none of their ${formatCount(disallowed)} disallowed visits.`
            )
          ) : disallowed === 1 ? (
            <>
              The visit was{' '}
              <TextLink {...link(forCrawlers(compliance.agents, COUNT_FILTERS.served))} inherit>
                served
              </TextLink>
              .
            </>
          ) : (
            <>
              Your site served{' '}
              <TextLink {...link(forCrawlers(compliance.agents, COUNT_FILTERS.served))} inherit>
                {served === disallowed ? 'all' : formatCount(served)}
              </TextLink>{' '}
              of their {formatCount(disallowed)} disallowed visits.
            </>
          )}
        </>
      )}
      {notes.length > 0 && (
        <Help about="visits that aren’t counted">
          {notes.map((note, index) => (
            <Fragment key={index}>
              {index > 0 && ' '}
              {note}
            </Fragment>
          ))}
        </Help>
      )}
    </Answer>
  );
}

const isOnlySpoofed = ({ unreachable, unknown }: ComplianceAgent): boolean => unreachable + unknown === 0;

const describeBlocked = (visits: number): string =>
  visits === 1 ? 'The visit was blocked.' : `All ${formatCount(visits)} visits were blocked.`;

export const getAgentName = ({ agent_token: token }: Pick<ComplianceAgent, 'agent_token'>): string =>
  token ?? 'No longer in the catalog';
