import type { PaymentsReport } from '../../api/payments.js';
import { formatCount } from '../../format/count.js';
import { Answer } from '../../ui/answer.js';
import { countReactions, countReturns, formatSums, nameAgent } from './payment-counts.js';

const formatTimes = (count: number): string => (count === 1 ? 'once' : `${formatCount(count)} times`);

/** Sentence about who was asked to pay, and who paid. */
export function PaymentAnswer({ report, when }: { report: PaymentsReport; when: string }) {
  const { total, agents } = report;
  const paid = countReactions(total, 'paid');
  // The amounts include payments that the site didn't ask for.
  const amounts = paid === total.paid ? formatSums(total.paid_amounts, 0) : '';
  const reactions = [
    paid === 0 ? 'never paid' : `paid ${formatTimes(paid)}${amounts && ` (${amounts})`}`,
    ...(total.walked_away > 0 ? [`walked away ${formatTimes(total.walked_away)}`] : []),
  ];
  const [leaver] = agents.toSorted((one, other) => other.walked_away - one.walked_away);
  const [returner] = agents.toSorted((one, other) => countReturns(other) - countReturns(one));
  return (
    <Answer
      notes={
        <>
          {leaver !== undefined && leaver.walked_away > 0 && (
            <p>
              {nameAgent(leaver)} walked away most: {formatCount(leaver.walked_away)} of the {formatTimes(leaver.asked)}{' '}
              it was asked to pay.
            </p>
          )}
          {returner !== undefined && countReturns(returner) > 0 && (
            <p>
              After {nameAgent(returner)} walked away, other visitors from its networks made{' '}
              {formatCount(countReturns(returner))} {countReturns(returner) === 1 ? 'visit' : 'visits'} within{' '}
              {report.window_minutes} minutes.
            </p>
          )}
          {total.unasked.paid > 0 && <p>Agents also paid {formatTimes(total.unasked.paid)} without being asked.</p>}
        </>
      }
    >
      {total.asked > 0 ? (
        <>
          Your site asked agents to pay {formatTimes(total.asked)} {when}. They {reactions.join(' and ')}.
        </>
      ) : (
        <>Your site asked no agents to pay {when}.</>
      )}
    </Answer>
  );
}
