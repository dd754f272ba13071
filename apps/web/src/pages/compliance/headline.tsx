import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { Compliance } from '../../api/compliance.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { formatPercent } from '../../format/change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import type { LinkedRange } from '../../range/range.js';
import { Figure } from '../../ui/figure.js';
import { TextLink } from '../../ui/text-link.js';
import { countJudged, getDisallowedShare } from './judged-visits.js';
import { COUNT_FILTERS, visitsLink } from './visit-links.js';

interface HeadlineProps {
  projectId: string;
  compliance: Compliance;
  linked: LinkedRange;
}

/** Totals for a range, with links to the counted visits and notes on visits that aren't counted. */
export function Headline({ projectId, compliance: { agents, totals }, linked }: HeadlineProps) {
  const link = visitsLink(projectId, linked);
  // Agents that fetch on behalf of people aren't counted. The visit list can't filter by this property, so links
  // exclude the types of these agents instead.
  const types = agents.flatMap((agent) => (agent.is_user_triggered ? (agent.agent_type_name ?? []) : []));
  const linkToCrawlerVisits = (set: FilterSet) =>
    link({ ...set, ...(types.length > 0 && { not_type: [...new Set(types)] }) });
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
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        <Figure
          label="Disallowed visits"
          what={`By ${formatCount(totals.disallowing_agents)} ${totals.disallowing_agents === 1 ? 'agent' : 'agents'}`}
          value={formatCount(totals.disallowed)}
          isBad={totals.disallowed > 0}
          link={linkToCrawlerVisits(COUNT_FILTERS.disallowed)}
        />
        <Figure
          label="Share"
          what={`Of ${formatVisitCount(countJudged(totals))} judged`}
          value={formatPercent(getDisallowedShare(totals))}
          link={linkToCrawlerVisits(COUNT_FILTERS.disallowed)}
        />
        <Figure
          label="Served"
          what="Disallowed, but with a status below 400"
          value={formatCount(totals.disallowed_served)}
          isBad={totals.disallowed_served > 0}
          link={linkToCrawlerVisits(COUNT_FILTERS.served)}
        />
        <Figure
          label="Blocked"
          what="Disallowed, with status 403"
          value={formatCount(totals.disallowed_forbidden)}
          link={linkToCrawlerVisits(COUNT_FILTERS.forbidden)}
        />
        <Figure
          label="Conflicts"
          what="Allowed, but with status 403"
          value={formatCount(totals.allowed_forbidden)}
          link={linkToCrawlerVisits(COUNT_FILTERS.conflicts)}
        />
        <Figure
          label="Spoofed"
          what="Disallowed visits by impostors, not counted for any agent"
          value={formatCount(totals.spoofed_disallowed)}
          link={link(COUNT_FILTERS.spoofed)}
        />
      </SimpleGrid>
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
