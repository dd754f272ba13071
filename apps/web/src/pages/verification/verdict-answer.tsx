import { RESULTS } from '#libs/agents/vocabulary';
import type { Verification } from '../../api/statistics.js';
import { AGENT_RESULTS } from '../../charts/verdict-series.js';
import { formatPercent } from '../../format/change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Help } from '../../ui/help.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import { rankSpoofedAgents, sumVerdicts } from './verdicts.js';

/** Number of agents named. */
const MAX_NAMED = 3;

interface VerdictAnswerProps {
  projectId: string;
  verification: Verification;
  linked: LinkedRange;
  /** Range in words, such as "in the last 30 days". */
  when: string;
}

/** Sentence about how many visits by agents are genuine, and which agents were spoofed. */
export function VerdictAnswer({ projectId, verification, linked, when }: VerdictAnswerProps) {
  const visits = listLink(projectId, linked);
  const counts = sumVerdicts(verification.series);
  const total = AGENT_RESULTS.reduce((sum, result) => sum + counts[result], 0);
  const spoofed = rankSpoofedAgents(verification.spoofs);
  return (
    <Answer
      notes={
        spoofed.length > 0 && (
          <p>
            Most spoofed:{' '}
            <Listing
              limit={MAX_NAMED}
              items={spoofed.map(({ name, filter, visits: count }) => ({
                key: name,
                content: (
                  <>
                    {name} (
                    {filter === null ? (
                      formatCount(count)
                    ) : (
                      <TextLink {...visits({ result: 'verification_failed', agent: filter })} inherit>
                        {formatCount(count)}
                      </TextLink>
                    )}
                    )
                  </>
                ),
              }))}
            />
            .
          </p>
        )
      }
    >
      {counts.verification_failed === 0 ? (
        <>No visits that claimed to come from a known agent were spoofed {when}.</>
      ) : (
        <>
          <TextLink {...visits({ result: 'verification_failed' })} inherit>
            {formatVisitCount(counts.verification_failed)}
          </TextLink>{' '}
          {when} pretended to be {counts.verification_failed === 1 ? 'a known agent' : 'known agents'}.
        </>
      )}{' '}
      {formatPercent(counts.verified / total)} of {formatVisitCount(total)} by agents are verified
      {counts.not_verifiable > 0 && `, and ${formatPercent(counts.not_verifiable / total)} can’t be checked`}.
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
