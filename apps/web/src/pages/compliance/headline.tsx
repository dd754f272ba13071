import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { Compliance } from '../../api/compliance.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { percentText } from '../../format/change.js';
import { countText, visitsText } from '../../format/count.js';
import type { LinkedRange } from '../../range/range.js';
import { Figure } from '../../ui/figure.js';
import { TextLink } from '../../ui/text-link.js';
import { judgedOf, shareOf } from './judged.js';
import { COUNTED, visitsLink } from './visit-links.js';

interface HeadlineProps {
  projectId: string;
  compliance: Compliance;
  linked: LinkedRange;
}

/** Totals of a range, with links to the counted visits and notes on visits that aren't counted. */
export function Headline({ projectId, compliance: { agents, totals }, linked }: HeadlineProps) {
  const link = visitsLink(projectId, linked);
  // Visits can't be filtered by `is_user_triggered`, so these agents are excluded by type.
  const types = agents.flatMap((agent) => (agent.is_user_triggered ? (agent.agent_type_name ?? []) : []));
  const bound = (set: FilterSet) => link({ ...set, ...(types.length > 0 && { not_type: [...new Set(types)] }) });
  const rest: readonly [count: number, text: string, set: FilterSet][] = [
    [
      totals.unreachable,
      'came while robots.txt answered with an error, which RFC 9309 has crawlers take for “disallow everything”',
      COUNTED.unreachable,
    ],
    [totals.unknown, 'came while no version of robots.txt was known', COUNTED.unknown],
  ];
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        <Figure
          label="Disallowed visits"
          what={`By ${countText(totals.disallowing_agents)} ${totals.disallowing_agents === 1 ? 'agent' : 'agents'}`}
          value={countText(totals.disallowed)}
          isBad={totals.disallowed > 0}
          link={bound(COUNTED.disallowed)}
        />
        <Figure
          label="Share"
          what={`Of ${visitsText(judgedOf(totals))} judged`}
          value={percentText(shareOf(totals))}
          link={bound(COUNTED.disallowed)}
        />
        <Figure
          label="Served"
          what="Disallowed, and answered below 400"
          value={countText(totals.disallowed_served)}
          isBad={totals.disallowed_served > 0}
          link={bound(COUNTED.served)}
        />
        <Figure
          label="Blocked"
          what="Disallowed, and answered 403"
          value={countText(totals.disallowed_forbidden)}
          link={bound(COUNTED.forbidden)}
        />
        <Figure
          label="Conflicts"
          what="Allowed, but answered 403"
          value={countText(totals.allowed_forbidden)}
          link={bound(COUNTED.conflicts)}
        />
        <Figure
          label="Spoofed"
          what="Disallowed visits in an agent’s name; held against none"
          value={countText(totals.spoofed_disallowed)}
          link={link(COUNTED.spoofed)}
        />
      </SimpleGrid>
      {rest.map(
        ([count, text, set]) =>
          count > 0 && (
            <Text key={text} size="sm" role="note">
              <TextLink {...bound(set)} size="sm">
                {visitsText(count)}
              </TextLink>{' '}
              {text}. They are not in the numbers above.
            </Text>
          ),
      )}
      {totals.other > 0 && (
        <Text size="sm" role="note">
          {visitsText(totals.other)} went beyond the bounds of the counts, and are not in the numbers by agent.
        </Text>
      )}
    </Stack>
  );
}
