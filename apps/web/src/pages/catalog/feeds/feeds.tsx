import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { agentFeedsQuery } from '../../../api/feed-queries.js';
import { sessionQuery } from '../../../api/queries.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Failure } from '../../../ui/failure.js';
import { Icon } from '../../../ui/icon.js';
import { PageHeader } from '../../../ui/page-header.js';
import { usePageTitle } from '../../../ui/use-page-title.js';
import { Section } from '../../../ui/section.js';
import type { FeedPreset } from './feed-drawer.js';
import { FeedAgents } from './feed-agents.js';
import { FeedTable } from './feed-table.js';
import type { FeedsSearch } from './search.js';

const FeedDrawer = lazy(() => import('./feed-drawer.js'));
const route = getRouteApi('/app/catalog/feeds');

/** Public lists in formats that feeds support. */
const PUBLIC_LISTS: readonly (FeedPreset & { what: string })[] = [
  {
    name: 'crawler-user-agents',
    what: 'Crawlers of all kinds, by monperrus',
    url: 'https://raw.githubusercontent.com/monperrus/crawler-user-agents/HEAD/crawler-user-agents.json',
  },
  {
    name: 'ai.robots.txt',
    what: 'AI crawlers, by ai-robots-txt',
    url: 'https://raw.githubusercontent.com/ai-robots-txt/ai.robots.txt/HEAD/robots.json',
  },
  {
    name: 'well-known-bots',
    what: 'Bots of all kinds, by Arcjet',
    url: 'https://raw.githubusercontent.com/arcjet/well-known-bots/HEAD/well-known-bots.json',
  },
];

/** Agent lists maintained by others, and the agents they propose for the catalog. */
export function AgentFeedsPage() {
  usePageTitle('Agent feeds');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isAdmin = useQuery(sessionQuery).data?.user?.is_admin ?? false;
  const result = useQuery({ ...agentFeedsQuery, enabled: isAdmin });
  const change = (to: Partial<FeedsSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...to }), replace: true, resetScroll: false });
  const [preset, setPreset] = useState<FeedPreset>();
  const open = (list?: FeedPreset): void => {
    setPreset(list);
    change({ add: true });
  };
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => open()}>
      Add feed
    </Button>
  );
  return (
    <Stack>
      <PageHeader
        title="Agent feeds"
        lead="Agent lists maintained by others. Their agents aren’t added to the catalog until you accept them."
        actions={
          <>
            <Button variant="default" renderRoot={(props) => <Link to="/catalog" {...props} />}>
              Back to catalog
            </Button>
            {isAdmin && result.data && result.data.feeds.length > 0 && add}
          </>
        }
      />
      {!isAdmin && <EmptyState title="Feeds are for administrators">Ask an administrator of this instance.</EmptyState>}
      {isAdmin && result.isPending && <Loader size="sm" />}
      {result.isError && (
        <Failure error={result.error} title="Couldn't load the feeds" retry={() => void result.refetch()} />
      )}
      {result.data?.feeds.length === 0 && (
        <EmptyState title="No feeds">
          <Stack align="center" gap="sm">
            Add a public list, or an export from another instance. Agent Traffic then suggests the list’s new agents.
            <Stack gap="xs">
              {PUBLIC_LISTS.map((list) => (
                <Group key={list.name} gap="xs" wrap="nowrap">
                  <Button size="xs" variant="default" flex="none" w={200} onClick={() => open(list)}>
                    Add {list.name}…
                  </Button>
                  <Text size="sm" c="dimmed" ta="left">
                    {list.what}
                  </Text>
                </Group>
              ))}
            </Stack>
            {add}
          </Stack>
        </EmptyState>
      )}
      {result.data && result.data.feeds.length > 0 && (
        <>
          <FeedAgents feeds={result.data.feeds} search={search} onChange={change} />
          <Section title="Feeds">
            <FeedTable feeds={result.data.feeds} onShow={change} />
          </Section>
        </>
      )}
      <Suspense>
        {search.add && isAdmin && <FeedDrawer preset={preset} onClose={() => change({ add: undefined })} />}
      </Suspense>
    </Stack>
  );
}
