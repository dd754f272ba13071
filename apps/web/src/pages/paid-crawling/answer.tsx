import type { PaymentsReport } from '../../api/payments.js';
import { formatCount } from '../../format/count.js';
import { Answer } from '../../ui/answer.js';
import { TextLink } from '../../ui/text-link.js';
import { PAYMENTS_ID } from './payment-tabs.js';
import {
  countReturns,
  describeReactions,
  formatTimes,
  listNames,
  nameAgent,
  hasNeverPaid,
} from '../../payments/payment-counts.js';

/** Sentence about who was asked to pay, and who paid. */
export function PaymentAnswer({ report, when }: { report: PaymentsReport; when: string }) {
  const { total, agents } = report;
  const refusers = agents.filter(hasNeverPaid).toSorted((one, other) => other.asked - one.asked);
  const [leaver] = agents.toSorted((one, other) => other.walked_away - one.walked_away);
  const [returner] = agents.toSorted((one, other) => countReturns(other) - countReturns(one));
  return (
    <Answer
      notes={
        <>
          {refusers.length > 0 ? (
            <p>
              {listNames(refusers)} never paid
              {refusers.length === 1 && `, although it was asked ${formatTimes(refusers[0]!.asked)}`}.
            </p>
          ) : (
            leaver !== undefined &&
            leaver.walked_away > 0 && (
              <p>
                {nameAgent(leaver)} walked away most: {formatCount(leaver.walked_away)} of the{' '}
                {formatTimes(leaver.asked)} it was asked to pay.
              </p>
            )
          )}
          {returner !== undefined && countReturns(returner) > 0 && (
            <p>
              After {nameAgent(returner)} walked away, other visitors from the same addresses made{' '}
              <TextLink
                from="/projects/$projectId/paid-crawling"
                to="."
                search={(search) => ({ ...search, tab: 'returns' as const })}
                hash={PAYMENTS_ID}
                inherit
              >
                {formatCount(countReturns(returner))} {countReturns(returner) === 1 ? 'visit' : 'visits'}
              </TextLink>{' '}
              within {report.window_minutes} minutes.
            </p>
          )}
          {total.unasked.paid > 0 && <p>Agents also paid {formatTimes(total.unasked.paid)} without being asked.</p>}
        </>
      }
    >
      {total.asked > 0 ? (
        <>
          Your site asked agents to pay {formatTimes(total.asked)} {when}. They {describeReactions(total)}.
        </>
      ) : (
        <>Your site asked no agents to pay {when}.</>
      )}
    </Answer>
  );
}
