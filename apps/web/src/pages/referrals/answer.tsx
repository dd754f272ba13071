import { Anchor } from '@mantine/core';
import type { Referrals } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { Change } from '../../range/change.js';
import { Answer } from '../../ui/answer.js';
import { Help } from '../../ui/help.js';
import { Listing } from '../../ui/listing.js';
import { describeRatio } from './ratio.js';

/** Minimum difference in people sent that is worth a sentence. */
const MIN_DIFFERENCE = 5;
/** Number of operators named in the sentence. */
const MAX_NAMED = 3;

interface ReferralsAnswerProps {
  referrals: Referrals;
  before: string | null;
  /** Range in words, such as "in the last 30 days". */
  when: string;
  /** True if there's no earlier data to compare with. */
  lacksEarlierData: boolean;
  /** Opens the table of all operators. */
  onOperators: () => void;
}

/** Sentence that compares the people sent with the pages fetched. */
export function ReferralsAnswer({ referrals, before, when, lacksEarlierData, onOperators }: ReferralsAnswerProps) {
  const { referrals: people, previous_referrals: previousPeople, operators } = referrals;
  // Search engines also fetch pages for their results, so they aren't part of the ratio, like in the report.
  const companies = operators.filter((row) => !row.is_search_engine);
  const pages = companies.reduce((sum, row) => sum + row.pages_fetched, 0);
  const ratio = describeRatio(
    pages,
    companies.reduce((sum, row) => sum + row.referrals, 0),
  );
  const subject =
    companies.length < operators.length
      ? 'Without search engines, the companies behind them'
      : 'The companies behind them';
  const takers = operators
    .filter((row) => row.referrals === 0 && row.pages_fetched > 0)
    .toSorted((one, other) => other.pages_fetched - one.pages_fetched);
  const top = operators.toSorted((one, other) => other.referrals - one.referrals)[0];
  const isOnlyTop = top?.referrals === people;
  const getDifference = (row: Referrals['operators'][number]): number =>
    Math.abs(row.referrals - row.previous_referrals);
  const changed = operators.toSorted((one, other) => getDifference(other) - getDifference(one))[0];
  return (
    <Answer
      notes={
        <>
          {people + previousPeople > 0 && before !== null && (
            <p>
              People sent compared with {before}: <Change current={people} previous={previousPeople} before={before} />
              {changed !== undefined && getDifference(changed) >= MIN_DIFFERENCE && (
                <>
                  . {changed.operator_name} sent {formatCount(changed.referrals)},{' '}
                  {changed.referrals < changed.previous_referrals ? 'down' : 'up'} from{' '}
                  {formatCount(changed.previous_referrals)}.
                </>
              )}
            </p>
          )}
          {takers.length > 0 && (
            <p>
              <Listing
                items={takers.map(({ operator_name: name }) => ({ key: name, content: name }))}
                limit={MAX_NAMED}
              />{' '}
              fetched pages but sent no one.{' '}
              <Anchor component="button" type="button" inherit onClick={onOperators}>
                Compare all operators
              </Anchor>
            </p>
          )}
          {lacksEarlierData && <p>There’s no earlier data to compare with.</p>}
        </>
      }
    >
      {people === 0 ? (
        <>
          We’ve seen no one from AI assistants {when}. {subject} fetched {formatCount(pages)}{' '}
          {pages === 1 ? 'page' : 'pages'}.
        </>
      ) : (
        <>
          {isOnlyTop ? `${top.operator_name}’s` : 'AI'} assistants sent at least {formatCount(people)}{' '}
          {people === 1 ? 'person' : 'people'} {when}
          {top !== undefined && !isOnlyTop && `, led by ${top.operator_name}’s (${formatCount(top.referrals)})`}.{' '}
          {subject} fetched {formatCount(pages)} {pages === 1 ? 'page' : 'pages'}
          {ratio !== null && `, or ${ratio}`}.
        </>
      )}
      <Help about="people sent">
        Recognized by utm_source, source or ref in the URL, or otherwise the Referer header. Apps, copied links and
        strict privacy settings hide where people come from, so the actual number can be higher.
      </Help>
    </Answer>
  );
}
