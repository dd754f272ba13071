import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import type { Compliance } from '../../api/compliance.js';
import type { Overview } from '../../api/statistics.js';
import { matchingVisitsQuery } from '../../charts/matching-visits.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { formatChangeOfFew, formatPercent } from '../../format/change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { Change } from '../../range/change.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import type { LinkedRange } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import { Columns } from '../../ui/columns.js';
import { Figure } from '../../ui/figure.js';
import { TextLink } from '../../ui/text-link.js';
import { getDisallowedShare, isTiny } from '../../rules/judged-visits.js';
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
  count: (totals: Compliance['totals']) => number;
  what: string;
  filters: FilterSet;
  /** Direction that is good news. */
  good?: 'down';
  isBad?: boolean;
}

/** Totals for a range, with links to the counted visits and notes on visits that aren't counted. */
export function Headline({ projectId, compliance, linked, shown, previous, before }: HeadlineProps) {
  const { agents, totals } = compliance;
  const hasEarlierData = use(EarlierDataContext);
  const link = visitsLink(projectId, linked);
  const linkToCrawlerVisits = (set: FilterSet) => link(forCrawlers(agents, set));
  const neither = totals.disallowed - totals.disallowed_served - totals.disallowed_forbidden;
  const disallowed = forCrawlers(agents, COUNT_FILTERS.disallowed);
  const { data: overview } = useQuery({
    ...matchingVisitsQuery(projectId, shown, disallowed, true),
    enabled: neither > 0,
  });
  const figures: readonly FigureDefinition[] = [
    {
      label: 'Disallowed visits',
      count: (of) => of.disallowed,
      what: `${formatPercent(getDisallowedShare(totals))} of crawlers’ visits`,
      filters: COUNT_FILTERS.disallowed,
      good: 'down',
    },
    {
      label: 'Served anyway',
      count: (of) => of.disallowed_served,
      what: 'Got the page',
      filters: COUNT_FILTERS.served,
      good: 'down',
      isBad: true,
    },
    {
      label: 'Blocked',
      count: (of) => of.disallowed_forbidden,
      what: 'By a rule or your server (403)',
      filters: COUNT_FILTERS.forbidden,
    },
    {
      label: 'Other responses',
      count: (of) => of.disallowed - of.disallowed_served - of.disallowed_forbidden,
      what: describeStatuses(overview, neither) ?? 'Neither served nor blocked',
      filters: COUNT_FILTERS.neither,
    },
  ];
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
        {figures.map(({ label, count, what, filters, good, isBad = false }) => (
          <Figure
            key={label}
            label={label}
            what={what}
            value={formatCount(count(totals))}
            isBad={isBad && count(totals) > 0}
            link={linkToCrawlerVisits(filters)}
          >
            {previous !== undefined && hasEarlierData && (
              <Change
                current={count(totals)}
                previous={count(previous)}
                before={before}
                format={formatChangeOfFew}
                {...(good !== undefined && !isTiny(count(totals), count(previous)) && { good })}
              />
            )}
          </Figure>
        ))}
      </Columns>
      {totals.allowed_forbidden > 0 && (
        <Text size="sm" role="note">
          Your site also blocked{' '}
          <TextLink {...linkToCrawlerVisits(COUNT_FILTERS.conflicts)} size="sm">
            {formatVisitCount(totals.allowed_forbidden)}
          </TextLink>{' '}
          that robots.txt allows.
        </Text>
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

/**
 * Lists the statuses of disallowed visits that were neither served nor blocked, such as "404 (92), 402 (3), 500 (1)".
 *
 * @returns Null if the statuses aren't known, or don't add up because they're estimates or newer than the count.
 */
function describeStatuses(overview: Overview | undefined, count: number): string | null {
  const statuses = (overview?.top_statuses ?? []).filter(({ status }) => status !== null && isOther(status));
  const reported = statuses.reduce((sum, { visits }) => sum + visits, 0);
  if (overview?.sample?.is_estimated === true || reported === 0 || reported > count) return null;
  const texts = statuses.map(({ status, visits }) => `${status} (${formatCount(visits)})`);
  return [...texts, ...(reported < count ? [`none reported (${formatCount(count - reported)})`] : [])].join(', ');
}

/** Returns true for statuses that mean neither that a page was served nor that the visit was blocked. */
const isOther = (status: number): boolean => status >= 400 && status !== 403;
