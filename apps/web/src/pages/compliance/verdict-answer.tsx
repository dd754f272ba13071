import type { Compliance, ComplianceAgent } from '../../api/compliance.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import { countJudged } from './judged-visits.js';
import { COUNT_FILTERS, forAgent, visitsLink } from './visit-links.js';

/** Number of agents named in the sentence. */
const MAX_NAMED = 4;

interface VerdictAnswerProps {
  projectId: string;
  compliance: Compliance;
  linked: LinkedRange;
  /** Range in words, such as "in the last 30 days". */
  when: string;
}

/** Sentence that names the agents that ignored robots.txt. */
export function VerdictAnswer({ projectId, compliance, linked, when }: VerdictAnswerProps) {
  const link = visitsLink(projectId, linked);
  const crawlers = compliance.agents.filter((agent) => !agent.is_user_triggered && countJudged(agent) > 0);
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
  const spoofed = compliance.totals.spoofed_disallowed;
  return (
    <Answer
      notes={
        <>
          {onBehalf.length > 0 && (
            <p>
              {formatCount(onBehalf.length)} more {onBehalf.length === 1 ? 'agent' : 'agents'} fetched disallowed pages
              because a person asked for them: {list(onBehalf)}. They don’t count as ignoring robots.txt.
            </p>
          )}
          {spoofed > 0 && (
            <p>
              Impostors made{' '}
              <TextLink {...link(COUNT_FILTERS.spoofed)} inherit>
                {formatVisitCount(spoofed)}
              </TextLink>{' '}
              to disallowed pages, not counted here.
            </p>
          )}
        </>
      }
    >
      {crawlers.length === 0 ? (
        <>Only agents that fetch on behalf of people visited {when}.</>
      ) : ignoring.length === 0 ? (
        <>No crawler ignored robots.txt {when}.</>
      ) : (
        <>
          {formatCount(ignoring.length)} of {formatCount(crawlers.length)} crawlers ignored robots.txt {when}:{' '}
          {list(ignoring)}.
        </>
      )}
    </Answer>
  );
}

export const getAgentName = ({ agent_token: token }: Pick<ComplianceAgent, 'agent_token'>): string =>
  token ?? 'No longer in the catalog';
