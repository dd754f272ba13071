import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import type { Compliance } from '../../api/compliance.js';
import { matchingVisitsQuery } from '../../charts/matching-visits.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { formatPercent } from '../../format/change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { Change } from '../../range/change.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import type { LinkedRange } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import { Columns } from '../../ui/columns.js';
import { Figure } from '../../ui/figure.js';
import { Listing } from '../../ui/listing.js';
import { TextLink } from '../../ui/text-link.js';
import { countJudged, getDisallowedShare, isTiny } from '../../rules/judged-visits.js';
import { COUNT_FILTERS, forCrawlers, visitsLink } from '../../rules/judged-visit-links.js';

interface HeadlineProps {
  projectId: string;
  compliance: Compliance;
  linked: LinkedRange;
  shown: ShownRange;
  /** Totals of the comparison range. Undefined until they've loaded. */
  previous: Compliance['totals'] | undefined;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
}

interface FigureDefinition {
  label: string;
  key: 'disallowed' | 'disallowed_served' | 'disallowed_forbidden' | 'allowed_forbidden';
  what: string;
  filters: FilterSet;
  isBad?: boolean;
}

/** Totals for a range, with links to the counted visits and notes on visits that aren't counted. */
export function Headline({ projectId, compliance, linked, shown, previous, before }: HeadlineProps) {
  const { agents, totals } = compliance;
  const hasEarlierData = use(EarlierDataContext);
  const link = visitsLink(projectId, linked);
  const linkToCrawlerVisits = (set: FilterSet) => link(forCrawlers(agents, set));
  const figures: readonly FigureDefinition[] = [
    {
      label: 'Disallowed visits',
      key: 'disallowed',
      what: `${formatPercent(getDisallowedShare(totals))} of ${formatVisitCount(countJudged(totals))}`,
      filters: COUNT_FILTERS.disallowed,
    },
    {
      label: 'Served anyway',
      key: 'disallowed_served',
      what: 'Disallowed but served',
      filters: COUNT_FILTERS.served,
      isBad: true,
    },
    {
      label: 'Blocked',
      key: 'disallowed_forbidden',
      what: 'Disallowed and blocked (403)',
      filters: COUNT_FILTERS.forbidden,
    },
    {
      label: 'Allowed but blocked',
      key: 'allowed_forbidden',
      what: 'Allowed by robots.txt, but got 403',
      filters: COUNT_FILTERS.conflicts,
    },
  ];
  const neither = totals.disallowed - totals.disallowed_served - totals.disallowed_forbidden;
  const uncountedNotes: readonly [count: number, text: string, set: FilterSet][] = [
    [
      totals.unreachable,
      'occurred while robots.txt returned an error, which crawlers must treat as “disallow everything” (RFC 9309)',
      COUNT_FILTERS.unreachable,
    ],
    [totals.unknown, 'occurred while no version of robots.txt was known', COUNT_FILTERS.unknown],
  ];
  return (
    <Stack gap="xs">
      <Columns cols={{ base: 2, md: 4 }} gap="sm">
        {figures.map(({ label, key, what, filters, isBad = false }) => (
          <Figure
            key={key}
            label={label}
            what={what}
            value={formatCount(totals[key])}
            isBad={isBad && totals[key] > 0}
            link={linkToCrawlerVisits(filters)}
          >
            {previous !== undefined && hasEarlierData && (
              <Change
                current={totals[key]}
                previous={previous[key]}
                before={before}
                {...(key !== 'disallowed_forbidden' && !isTiny(totals[key], previous[key]) && { good: 'down' })}
              />
            )}
          </Figure>
        ))}
      </Columns>
      {neither > 0 && (
        <OtherAnswers
          projectId={projectId}
          count={neither}
          filters={forCrawlers(agents, COUNT_FILTERS.disallowed)}
          link={linkToCrawlerVisits}
          shown={shown}
        />
      )}
      {uncountedNotes.map(
        ([count, text, set]) =>
          count > 0 && (
            <Text key={text} size="sm" role="note">
              <TextLink {...linkToCrawlerVisits(set)} size="sm">
                {formatVisitCount(count)}
              </TextLink>{' '}
              {text}. They aren’t included in the numbers above.
            </Text>
          ),
      )}
      {totals.other > 0 && (
        <Text size="sm" role="note">
          {formatVisitCount(totals.other)} exceeded the limits of the counts, so they aren’t included in the numbers by
          agent.
        </Text>
      )}
    </Stack>
  );
}

interface OtherAnswersProps {
  projectId: string;
  count: number;
  /** Filters for all disallowed visits, as in the chart. */
  filters: FilterSet;
  link: (set: FilterSet) => ReturnType<ReturnType<typeof visitsLink>>;
  shown: ShownRange;
}

/** Note on disallowed visits that were neither served nor blocked, with their statuses. */
function OtherAnswers({ projectId, count, filters, link, shown }: OtherAnswersProps) {
  const { data: overview } = useQuery(matchingVisitsQuery(projectId, shown, filters, true));
  const statuses = (overview?.top_statuses ?? []).filter(({ status }) => status !== null && isOther(status));
  const reported = statuses.reduce((sum, { visits }) => sum + visits, 0);
  // The statuses can be estimates, or more recent than the counts.
  const areExact = overview?.sample?.is_estimated !== true && reported > 0 && reported <= count;
  const items = statuses.map(({ status, visits }) => ({
    key: String(status),
    content: (
      <>
        {status} (
        <TextLink {...link({ ...COUNT_FILTERS.disallowed, status: [String(status)] })} size="sm">
          {formatCount(visits)}
          <span className="unseen"> disallowed visits with status {status}</span>
        </TextLink>
        )
      </>
    ),
  }));
  return (
    <Text size="sm" role="note">
      <TextLink {...link(COUNT_FILTERS.neither)} size="sm">
        {formatCount(count)} disallowed {count === 1 ? 'visit' : 'visits'}
      </TextLink>{' '}
      {count === 1 ? 'was' : 'were'} neither served nor blocked
      {overview === undefined ? (
        '.'
      ) : !areExact ? (
        ': another status, such as 404, or none was reported.'
      ) : reported < count ? (
        <>
          : status <Listing items={items} />, and no reported status ({formatCount(count - reported)}).
        </>
      ) : (
        <>
          : status <Listing items={items} />.
        </>
      )}
    </Text>
  );
}

/** Returns true for statuses that mean neither that a page was served nor that the visit was blocked. */
const isOther = (status: number): boolean => status >= 400 && status !== 403;
