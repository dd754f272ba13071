import { Stack, Text } from '@mantine/core';
import type { Compliance } from '../../api/compliance.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { formatPercent } from '../../format/change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { Change } from '../../range/change.js';
import type { LinkedRange } from '../../range/range.js';
import { Columns } from '../../ui/columns.js';
import { Figure } from '../../ui/figure.js';
import { TextLink } from '../../ui/text-link.js';
import { countJudged, getDisallowedShare } from './judged-visits.js';
import { COUNT_FILTERS, forCrawlers, visitsLink } from './visit-links.js';

interface HeadlineProps {
  projectId: string;
  compliance: Compliance;
  linked: LinkedRange;
  /** Totals of the comparison range. Undefined until they've loaded. */
  previous: Compliance['totals'] | undefined;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
}

/** Totals for a range, with links to the counted visits and notes on visits that aren't counted. */
export function Headline({ projectId, compliance: { agents, totals }, linked, previous, before }: HeadlineProps) {
  const link = visitsLink(projectId, linked);
  const linkToCrawlerVisits = (set: FilterSet) => link(forCrawlers(agents, set));
  const renderChange = (
    key: 'disallowed' | 'disallowed_served' | 'disallowed_forbidden' | 'allowed_forbidden',
    good?: 'down',
  ) =>
    previous !== undefined && (
      <Change current={totals[key]} previous={previous[key]} before={before} {...(good && { good })} />
    );
  const rest = totals.disallowed - totals.disallowed_served - totals.disallowed_forbidden;
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
        <Figure
          label="Disallowed visits"
          what={`${formatPercent(getDisallowedShare(totals))} of ${formatVisitCount(countJudged(totals))} judged${rest > 0 ? `. ${formatCount(rest)} got another status, such as 404.` : ''}`}
          value={formatCount(totals.disallowed)}
          isBad={totals.disallowed > 0}
          link={linkToCrawlerVisits(COUNT_FILTERS.disallowed)}
        >
          {renderChange('disallowed', 'down')}
        </Figure>
        <Figure
          label="Served"
          what="Disallowed, but with a status below 400"
          value={formatCount(totals.disallowed_served)}
          isBad={totals.disallowed_served > 0}
          link={linkToCrawlerVisits(COUNT_FILTERS.served)}
        >
          {renderChange('disallowed_served', 'down')}
        </Figure>
        <Figure
          label="Blocked"
          what="Disallowed, with status 403"
          value={formatCount(totals.disallowed_forbidden)}
          link={linkToCrawlerVisits(COUNT_FILTERS.forbidden)}
        >
          {renderChange('disallowed_forbidden')}
        </Figure>
        <Figure
          label="Conflicts"
          what="Allowed, but with status 403"
          value={formatCount(totals.allowed_forbidden)}
          link={linkToCrawlerVisits(COUNT_FILTERS.conflicts)}
        >
          {renderChange('allowed_forbidden', 'down')}
        </Figure>
      </Columns>
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
