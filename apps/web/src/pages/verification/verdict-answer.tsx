import { RESULTS } from '#libs/agents/vocabulary';
import { AgentActions } from '../../actions/agent-actions.js';
import { BlockImpostors } from '../../actions/block-impostors.js';
import type { Project } from '../../api/client.js';
import type { Verification } from '../../api/statistics.js';
import { AGENT_RESULTS } from '../../charts/verdict-series.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatPercent } from '../../format/change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { getClaims, type Impersonation } from '../../range/claims.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Help } from '../../ui/help.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import { rankSpoofedAgents, sumVerdicts } from './verdicts.js';

/** Number of claimed agents named. The others are counted. */
const MAX_NAMED = 2;

interface VerdictAnswerProps {
  project: Project;
  verification: Verification;
  /** Network that claimed to be several agents, or undefined if there is none. */
  impersonation: Impersonation | undefined;
  linked: LinkedRange;
  timeZone: string;
  /** Range in words, such as "in the last 30 days". */
  when: string;
}

/** Sentence about the visits that aren't by the agents they claim to be, and the share of genuine ones. */
export function VerdictAnswer(props: VerdictAnswerProps) {
  const { project, verification, impersonation, linked, timeZone, when } = props;
  const visits = listLink(project.id, linked);
  const counts = sumVerdicts(verification.series);
  const total = AGENT_RESULTS.reduce((sum, result) => sum + counts[result], 0);
  const [spoofed] = rankSpoofedAgents(verification.spoofs);
  return (
    <Answer
      notes={
        impersonation !== undefined ? (
          <BlockNetwork {...{ project, verification, impersonation, timeZone }} visits={visits} />
        ) : (
          spoofed?.agent.agent_id != null &&
          spoofed.agent.agent_token !== null && (
            <BlockImpostors
              {...{ project, timeZone }}
              agent={{ ...spoofed.agent, agent_id: spoofed.agent.agent_id }}
              failed={spoofed.visits}
              range={verification}
              visits={visits({ agent: spoofed.agent.agent_token, result: 'verification_failed' })}
            />
          )
        )
      }
    >
      {impersonation !== undefined ? (
        <>
          {impersonation.network} posed as{' '}
          <Listing
            limit={impersonation.agents.length > MAX_NAMED + 1 ? MAX_NAMED : MAX_NAMED + 1}
            items={impersonation.agents.map((agent) => ({ key: agent.agent_id, content: agentFilter(agent) }))}
          />{' '}
          in{' '}
          <TextLink {...visits(toFilters(getClaims(impersonation)))} inherit>
            {formatVisitCount(impersonation.visits)}
          </TextLink>{' '}
          {when}.{' '}
        </>
      ) : counts.verification_failed === 0 ? (
        <>No visits failed verification {when}. </>
      ) : (
        <>
          <TextLink {...visits({ result: 'verification_failed' })} inherit>
            {formatVisitCount(counts.verification_failed)}
          </TextLink>{' '}
          {when} failed verification
          {spoofed !== undefined && (
            <>
              {spoofed.visits === counts.verification_failed ? ', all as ' : ', most often as '}
              {spoofed.name}
              {spoofed.filter !== null && spoofed.visits < counts.verification_failed && (
                <>
                  {' '}
                  (
                  <TextLink {...visits({ result: 'verification_failed', agent: spoofed.filter })} inherit>
                    {formatCount(spoofed.visits)}
                  </TextLink>
                  )
                </>
              )}
            </>
          )}
          .{' '}
        </>
      )}
      {formatPercent(counts.verified / total)} of agent visits were verified.
      <Help about="verdicts">
        {AGENT_RESULTS.map((result) => (
          <span key={result} style={{ display: 'block' }}>
            <strong>{RESULTS[result].label}:</strong> {RESULTS[result].meaning}
          </span>
        ))}
      </Help>
    </Answer>
  );
}

interface BlockNetworkProps extends Pick<VerdictAnswerProps, 'project' | 'verification' | 'timeZone'> {
  impersonation: Impersonation;
  visits: ReturnType<typeof listLink>;
}

/** Button that blocks the network, or the rule that blocks it. */
function BlockNetwork({ project, verification, timeZone, impersonation, visits }: BlockNetworkProps) {
  const { network, agents } = impersonation;
  return (
    <AgentActions
      project={project}
      loadFinding={() =>
        Promise.resolve({
          title: `${network} posed as ${formatCount(agents.length)} agents in ${formatVisitCount(impersonation.visits)}`,
          facts: [
            ['Network', network],
            ['Claimed to be', agents.map(agentFilter).join(', ')],
          ],
          network,
          alertKind: 'spoofing',
          range: verification,
          timeZone,
          visits: visits(toFilters(getClaims(impersonation))),
        })
      }
      of={network}
      network={network}
      requests={agents.map(({ agent_token, agent_type_name, operator_name }) => ({
        agent_token,
        agent_type_name,
        operator_name,
        network,
        results: ['verification_failed', 'not_verifiable'],
      }))}
      canBlock
      isPrimary
      isCompact
    />
  );
}
