import { use } from 'react';
import { RESULTS } from '#libs/agents/vocabulary';
import type { Verification } from '../../api/statistics.js';
import { AGENT_RESULTS } from '../../charts/verdict-series.js';
import { formatPercent } from '../../format/change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { toFilters } from '../../filters/visit-filters.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Help } from '../../ui/help.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import { findMainNetwork, isRise, rankSpoofedAgents, splitFailures, sumVerdicts } from './verdicts.js';

/** Number of agents named. */
const MAX_NAMED = 3;

interface VerdictAnswerProps {
  projectId: string;
  verification: Verification;
  /** Visits that can't be verified, by agent and network. Undefined until they've loaded. */
  unverifiable: Verification | undefined;
  linked: LinkedRange;
  /** Name of the comparison range, or null for none. */
  before: string | null;
  /** Range in words, such as "in the last 30 days". */
  when: string;
}

/** Sentence about how many visits by agents are genuine, and the agents they claimed to be. */
export function VerdictAnswer(props: VerdictAnswerProps) {
  const { projectId, verification, unverifiable, linked, before, when } = props;
  const hasEarlierData = use(EarlierDataContext);
  const visits = listLink(projectId, linked);
  const counts = sumVerdicts(verification.series);
  const previous = sumVerdicts(verification.previous_series);
  const hasNews = before !== null && hasEarlierData && isRise(counts.not_verifiable, previous.not_verifiable);
  const untrusted = counts.verification_failed + counts.not_verifiable;
  const main =
    unverifiable === undefined ? null : findMainNetwork([...verification.spoofs, ...unverifiable.spoofs], untrusted);
  // Rows list up to three networks, so a sum can be too low.
  const isExact =
    !verification.is_sampled &&
    unverifiable?.is_sampled === false &&
    [...verification.spoofs, ...unverifiable.spoofs].every((spoof) => spoof.network_count <= spoof.networks.length);
  const total = AGENT_RESULTS.reduce((sum, result) => sum + counts[result], 0);
  const spoofed = rankSpoofedAgents(verification.spoofs);
  return (
    <Answer
      notes={
        spoofed.length > 0 && (
          <p>
            Visits that failed most often claimed to be{' '}
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
        <>No visits failed verification {when}.</>
      ) : (
        <>
          <TextLink {...visits({ result: 'verification_failed' })} inherit>
            {formatVisitCount(counts.verification_failed)}
          </TextLink>{' '}
          {when} failed verification
          <Failures counts={splitFailures(verification.reasons, counts.verification_failed)} />.
        </>
      )}{' '}
      {counts.not_verifiable > 0 && (
        <>
          <TextLink {...visits({ result: 'not_verifiable' })} inherit>
            {counts.verification_failed === 0
              ? formatVisitCount(counts.not_verifiable)
              : `${formatCount(counts.not_verifiable)} more`}
          </TextLink>{' '}
          couldn’t be verified{hasNews && `, up from ${formatCount(previous.not_verifiable)}`}.{' '}
        </>
      )}
      {main !== null && (
        <>
          <TextLink
            {...visits(toFilters({ result: ['verification_failed', 'not_verifiable'], address: [main.network] }))}
            inherit
          >
            {main.network}
          </TextLink>{' '}
          made{' '}
          {isExact
            ? `${formatCount(main.visits)} of these ${formatCount(untrusted)}`
            : `most of these ${formatCount(untrusted)}`}
          .{' '}
        </>
      )}
      {formatPercent(counts.verified / total)} of {formatCount(total)} agent {total === 1 ? 'visit was' : 'visits were'}{' '}
      verified.
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

/** Continues the sentence with the reasons, so that expired signatures aren't taken for fakes. */
function Failures({ counts }: { counts: ReturnType<typeof splitFailures> }) {
  if (counts === null) return null;
  const { address, expired, signature } = counts;
  const parts = (
    [
      ['address', address, 'came from the wrong address'],
      ['expired', expired, expired === 1 ? 'had an expired signature' : 'had expired signatures'],
      ['signature', signature, signature === 1 ? 'had an invalid signature' : 'had invalid signatures'],
    ] as const
  ).filter(([, count]) => count > 0);
  return (
    <>
      {': '}
      <Listing
        items={parts.map(([key, count, text]) => ({
          key,
          content:
            parts.length === 1
              ? `${count === 1 ? 'it' : count === 2 ? 'both' : 'all'} ${text}`
              : `${formatCount(count)} ${text}`,
        }))}
      />
    </>
  );
}
