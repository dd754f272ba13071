import { Code, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AUTOMATION_VERDICT_TEXTS } from '#libs/agents/vocabulary';
import { sessionQuery } from '../../api/queries.js';
import { unlistedUserAgentsQuery, type Suspicion, type Unlisted } from '../../api/unlisted-user-agents.js';
import { formatCount } from '../../format/count.js';
import { listLink } from '../../range/list-link.js';
import { linkedRange, type LinkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { useRangePage } from '../../range/use-range-page.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { DismissedList } from './dismissed-list.js';
import type { UnlistedSearch } from './search.js';
import { UnlistedTable } from './unlisted-table.js';

const route = getRouteApi('/app/projects/$projectId/unlisted');

const SUSPICIONS: Record<'likely' | NonNullable<UnlistedSearch['show']>, Suspicion[] | null> = {
  likely: ['likely'],
  unclear: ['unclear'],
  all: null,
};

/** Lists unknown visitors that may be programs missing from the catalog. */
export function UnlistedPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<UnlistedSearch>('Unlisted', route);
  const suspicions = SUSPICIONS[search.show ?? 'likely'];
  const query = useQuery(unlistedUserAgentsQuery(projectId, shown, suspicions));
  const { data: session } = useQuery(sessionQuery);
  const isAdmin = session?.user?.is_admin ?? false;
  return (
    <RangePage
      {...head}
      answer={query}
      errorTitle="Couldn't load the unlisted programs"
      skeleton={<Skeleton h={400} animate={false} />}
      filters={
        <NativeSelect
          label="Show"
          size="xs"
          w={220}
          maw="100%"
          value={search.show ?? 'likely'}
          data={[
            { value: 'likely', label: 'Likely programs' },
            { value: 'unclear', label: 'Unclear' },
            { value: 'all', label: 'Both' },
          ]}
          onChange={({ currentTarget: { value } }) =>
            change({ show: value === 'unclear' || value === 'all' ? value : undefined }, true)
          }
        />
      }
    >
      {(data) => {
        const linked = linkedRange(search, data);
        return (
          <Stack>
            <VerdictCounts projectId={projectId} unlisted={data} range={linked} />
            <Section
              title="User agents"
              lead="Visitors that probably aren't people and match no agent in the catalog, by user agent. A * stands for versions, build numbers, and IDs."
            >
              {data.groups.length === 0 ? (
                <EmptyTable unlisted={data} show={search.show} />
              ) : (
                <UnlistedTable
                  project={project}
                  groups={data.groups}
                  range={data}
                  linked={linked}
                  suspicions={suspicions}
                  isAdmin={isAdmin}
                />
              )}
              <HiddenVisitsNote unlisted={data} />
              {isAdmin && !data.has_network_names && data.groups.length > 0 && (
                <Text size="xs" c="dimmed">
                  Set <Code>ASN_FILE</Code> to see who operates these networks. See the{' '}
                  <TextLink to="/system" hash="network-names">
                    System page
                  </TextLink>{' '}
                  for instructions.
                </Text>
              )}
            </Section>
            <DismissedList project={project} />
          </Stack>
        );
      }}
    </RangePage>
  );
}

interface CountsProps {
  projectId: string;
  unlisted: Unlisted;
  range: LinkedRange;
}

function VerdictCounts({ projectId, unlisted, range }: CountsProps) {
  const visits = listLink(projectId, range);
  return (
    <Group gap="xl" align="start">
      {(['likely', 'unclear'] as const).map((verdict) => (
        <div key={verdict}>
          <Text size="sm">{AUTOMATION_VERDICT_TEXTS[verdict]!.word}</Text>
          <Text fw={600} fz="lg" className="numbers">
            {unlisted[verdict] === 0 ? (
              0
            ) : (
              <TextLink {...visits({ automation: verdict })} c="inherit">
                {formatCount(unlisted[verdict])}
                <span className="unseen"> visits</span>
              </TextLink>
            )}
          </Text>
          <Text size="xs" c="dimmed" maw={280}>
            {AUTOMATION_VERDICT_TEXTS[verdict]!.meaning}
          </Text>
        </div>
      ))}
    </Group>
  );
}

function HiddenVisitsNote({ unlisted }: { unlisted: Unlisted }) {
  const { other_groups: groups, other_visits: otherVisits, dismissed_visits: dismissed } = unlisted;
  if (otherVisits === 0 && dismissed === 0) return null;
  return (
    <Text size="xs" c="dimmed">
      {otherVisits > 0 &&
        `Not shown: ${formatCount(otherVisits)} visits by ${groups > 0 ? formatCount(groups) : 'rare'} other user agents. `}
      {dismissed > 0 && `${formatCount(dismissed)} visits by dismissed user agents are hidden.`}
    </Text>
  );
}

interface EmptyTableProps {
  unlisted: Unlisted;
  show: UnlistedSearch['show'];
}

function EmptyTable({ unlisted, show }: EmptyTableProps) {
  if (unlisted.dismissed_visits > 0) {
    return <EmptyState title="All of these user agents are dismissed">They're listed below.</EmptyState>;
  }
  if (show !== 'unclear' && unlisted.unclear > 0) {
    return (
      <EmptyState title="No likely programs in this range">
        {formatCount(unlisted.unclear)} visits are unclear.{' '}
        <TextLink from="/projects/$projectId/unlisted" to="." search={(now) => ({ ...now, show: 'unclear' as const })}>
          Show unclear visits
        </TextLink>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No unlisted programs in this range">
      Every visitor matches an agent in the catalog or looks like a person’s browser.
    </EmptyState>
  );
}
