import { Code, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AUTOMATION_WORDS } from '#libs/agents/vocabulary';
import { sessionQuery } from '../../api/queries.js';
import { unlistedQuery, type Suspicion, type Unlisted } from '../../api/unlisted.js';
import { countText } from '../../format/count.js';
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

/** Unknown visitors that may be programs missing from the catalog. */
export function UnlistedPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<UnlistedSearch>('Unlisted', route);
  const suspicions = SUSPICIONS[search.show ?? 'likely'];
  const answer = useQuery(unlistedQuery(projectId, shown, suspicions));
  const { data: session } = useQuery(sessionQuery);
  const isAdmin = session?.user?.is_admin ?? false;
  return (
    <RangePage
      {...head}
      answer={answer}
      failed="The unlisted programs can't be shown"
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
            <Counts projectId={projectId} unlisted={data} range={linked} />
            <Section
              title="User agents"
              lead="Visitors that no agent in the catalog matches and that are probably not people, by user agent. A * stands for versions, build numbers, and IDs."
            >
              {data.groups.length === 0 ? (
                <Nothing unlisted={data} show={search.show} />
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
              <Beyond unlisted={data} />
              {isAdmin && !data.has_network_names && data.groups.length > 0 && (
                <Text size="xs" c="dimmed">
                  Set <Code>ASN_FILE</Code> to see who operates these networks. The{' '}
                  <TextLink to="/system" hash="network-names">
                    System page
                  </TextLink>{' '}
                  says how.
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

/** Number of visits by verdict, with a link to the visits and an explanation. */
function Counts({ projectId, unlisted, range }: CountsProps) {
  const visits = listLink(projectId, range);
  return (
    <Group gap="xl" align="start">
      {(['likely', 'unclear'] as const).map((verdict) => (
        <div key={verdict}>
          <Text size="sm">{AUTOMATION_WORDS[verdict]!.word}</Text>
          <Text fw={600} fz="lg" className="numbers">
            {unlisted[verdict] === 0 ? (
              0
            ) : (
              <TextLink {...visits({ automation: verdict })} c="inherit">
                {countText(unlisted[verdict])}
                <span className="unseen"> visits</span>
              </TextLink>
            )}
          </Text>
          <Text size="xs" c="dimmed" maw={280}>
            {AUTOMATION_WORDS[verdict]!.meaning}
          </Text>
        </div>
      ))}
    </Group>
  );
}

/** Note on visits that the table leaves out. */
function Beyond({ unlisted }: { unlisted: Unlisted }) {
  const { other_groups: groups, other_visits: others, dismissed_visits: dismissed } = unlisted;
  if (others === 0 && dismissed === 0) return null;
  return (
    <Text size="xs" c="dimmed">
      {others > 0 &&
        `Not shown: ${countText(others)} visits of ${groups > 0 ? countText(groups) : 'rare'} other user agents. `}
      {dismissed > 0 && `${countText(dismissed)} visits of dismissed user agents are hidden.`}
    </Text>
  );
}

interface NothingProps {
  unlisted: Unlisted;
  show: UnlistedSearch['show'];
}

/** Explains why the table is empty. */
function Nothing({ unlisted, show }: NothingProps) {
  if (unlisted.dismissed_visits > 0) {
    return <EmptyState title="All of these user agents were dismissed">They are listed below.</EmptyState>;
  }
  if (show !== 'unclear' && unlisted.unclear > 0) {
    return (
      <EmptyState title="No likely programs in this range">
        {countText(unlisted.unclear)} visits are unclear.{' '}
        <TextLink from="/projects/$projectId/unlisted" to="." search={(now) => ({ ...now, show: 'unclear' as const })}>
          Show these
        </TextLink>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No unlisted programs in this range">
      Every program that visited is in the catalog, or looks like a person’s browser.
    </EmptyState>
  );
}
