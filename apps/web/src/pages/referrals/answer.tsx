import { Anchor } from '@mantine/core';
import { capitalize } from '#libs/agents/vocabulary';
import { sumForCrawlRatio } from '#libs/contracts/crawl-ratio';
import type { Project } from '../../api/client.js';
import type { Referrals } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { toFilters } from '../../filters/visit-filters.js';
import { isClearDifference } from '../../range/clear-difference.js';
import { toAdverbial } from '../../range/adverbial.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { Answer } from '../../ui/answer.js';
import { Help } from '../../ui/help.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import { describeRatio } from './ratio.js';
import { describeTrend } from './trend.js';

/** Number of operators named in the sentence. */
const MAX_NAMED = 3;

interface ReferralsAnswerProps {
  project: Project;
  referrals: Referrals;
  /** Time range for the links. */
  linked: LinkedRange;
  before: string | null;
  /** Range in words, such as "in the last 30 days". */
  when: string;
  /** True if there's no earlier data to compare with. */
  lacksEarlierData: boolean;
  /** Opens the table of all operators. */
  onOperators: () => void;
}

/** Sentence that compares the people sent with the pages fetched. */
export function ReferralsAnswer(props: ReferralsAnswerProps) {
  const { project, referrals, linked, before, when, lacksEarlierData, onOperators } = props;
  const { referrals: people, previous_referrals: previousPeople, operators } = referrals;
  const ratio = describeRatio(sumForCrawlRatio(operators));
  const senders = operators.filter((row) => row.referrals > 0 && !row.is_search_engine);
  const subject = senders.length === 1 ? senders[0]!.operator_name : 'these companies';
  const takers = operators
    .filter((row) => row.referrals === 0 && row.pages_fetched > 0)
    .toSorted((one, other) => other.pages_fetched - one.pages_fetched);
  const [top, second] = operators.toSorted((one, other) => other.referrals - one.referrals);
  const isOnlyTop = top?.referrals === people;
  const isClearTop = top !== undefined && isClearDifference(top.referrals, second?.referrals ?? 0);
  const getDifference = (row: Operator): number => Math.abs(row.referrals - row.previous_referrals);
  const [changed] =
    before === null
      ? []
      : operators
          .filter((row) => isClearDifference(row.referrals, row.previous_referrals))
          .toSorted((one, other) => getDifference(other) - getDifference(one));
  return (
    <Answer
      notes={
        <>
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
          We’ve seen no one from AI assistants {when}
          {before !== null && previousPeople > 0 && `, down from ${formatCount(previousPeople)} ${toAdverbial(before)}`}
          .
        </>
      ) : (
        <>
          {isOnlyTop ? `${top.operator_name}’s` : 'AI'} assistants sent at least{' '}
          <AllPeople project={project} referrals={referrals} linked={linked} /> {when}
          {before !== null && describeTrend(people, previousPeople, before)}.
          {changed === undefined
            ? isClearTop && !isOnlyTop && ` ${top.operator_name}’s sent the most (${formatCount(top.referrals)}).`
            : ` ${changed.operator_name}’s sent ${changed.referrals === 0 ? 'no one' : formatCount(changed.referrals)}, ${changed.referrals < changed.previous_referrals ? 'down' : 'up'} from ${formatCount(changed.previous_referrals)}.`}
        </>
      )}
      {ratio !== null && (
        <>
          {' '}
          {operators.some((row) => row.referrals > 0 && row.is_search_engine)
            ? `Not counting search engines, ${subject}`
            : capitalize(subject)}{' '}
          {ratio.per === 'person' ? 'fetched' : 'sent'} {ratio.count} for each {ratio.per}{' '}
          {senders.length === 1 ? 'it' : 'they'} {ratio.per === 'person' ? 'sent' : 'fetched'}.
        </>
      )}
      <Help about="people sent">
        Recognized by utm_source, source or ref in the URL, or otherwise the Referer header. Apps, copied links and
        strict privacy settings hide where people come from, so the actual number can be higher.
      </Help>
    </Answer>
  );
}

type Operator = Referrals['operators'][number];

/** Number of people sent, with a link to their visits if these are stored. */
function AllPeople({ project, referrals, linked }: Pick<ReferralsAnswerProps, 'project' | 'referrals' | 'linked'>) {
  const text = `${formatCount(referrals.referrals)} ${referrals.referrals === 1 ? 'person' : 'people'}`;
  const assistants = referrals.assistants.map(({ assistant }) => assistant);
  // The visits of unlisted assistants can't be selected.
  if (project.unknown_visitors === 'counted' || assistants.includes('')) return text;
  return (
    <TextLink inherit {...listLink(project.id, linked)(toFilters({ assistant: assistants }))}>
      {text}
    </TextLink>
  );
}
