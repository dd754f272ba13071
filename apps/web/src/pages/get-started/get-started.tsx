import { Anchor, Loader, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { projectQuery, summariesQuery, tokenQuery, tokensQuery } from '../../api/queries.js';
import { shownAddress } from '../../public-url.js';
import { Failure } from '../../ui/failure.js';
import { isActive } from '../../ui/is-active.js';
import { usePageTitle } from '../../ui/page-title.js';
import { DemoSection } from '../../ui/demo-data.js';
import { TokenNotShown } from '../../ui/token-not-shown.js';
import { Section } from '../../ui/section.js';
import { NoToken } from './no-token.js';
import { FirstVisit } from './first-visit.js';
import { RefusedRequests } from './refused-requests.js';
import { TOKEN_PLACE } from './snippets.js';
import { Ways } from './ways.js';

// Loaded separately because they are further down the page.
const PathChoice = lazy(() => import('./path-choice.js').then((module) => ({ default: module.PathChoice })));
const SiteTest = lazy(() => import('./site-test.js').then((module) => ({ default: module.SiteTest })));
const route = getRouteApi('/app/projects/$projectId/get-started');

const ADDRESS = shownAddress();

export function GetStarted() {
  const { projectId } = route.useParams();
  const { how, framework, test } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Get started', project.name);
  const summaries = useQuery({ ...summariesQuery, refetchInterval: false });
  const isNew = summaries.data?.find(({ project_id: id }) => id === projectId)?.last_visit_at === null;
  // Decided once per project. Otherwise, the first visit would move the demo section while its progress is shown.
  const [opened, setOpened] = useState<{ projectId: string; isNew: boolean }>();
  if (summaries.isSuccess && opened?.projectId !== projectId) setOpened({ projectId, isNew });
  const maySeeTokens = project.role !== 'viewer';
  const tokens = useQuery(tokensQuery(projectId));
  const inUse = tokens.data?.filter((token) => isActive(token)) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const tokenId = inUse.find(({ id }) => id === chosen)?.id ?? inUse[0]?.id;
  const value = useQuery({
    ...tokenQuery(projectId, tokenId ?? '', false),
    enabled: maySeeTokens && tokenId !== undefined,
  });
  const access = { address: ADDRESS, token: value.data ?? TOKEN_PLACE };
  return (
    <Stack maw={860}>
      <div>
        <Title order={1}>Get started</Title>
        <Text c="dimmed" size="sm">
          Your site reports each visit. Agent Traffic identifies the visitor a moment later.
        </Text>
      </div>
      <FirstVisit key={projectId} projectId={projectId} />
      {opened?.isNew === true && <DemoSection />}
      <Section title="Report visits">
        {tokens.isError && <Failure error={tokens.error} retry={() => void tokens.refetch()} />}
        {value.isError && tokenId !== undefined && (
          <TokenNotShown
            projectId={projectId}
            tokenId={tokenId}
            error={value.error}
            retry={() => void value.refetch()}
          />
        )}
        {tokens.isSuccess && inUse.length === 0 && <NoToken projectId={projectId} mayMake={maySeeTokens} />}
        {!maySeeTokens && (
          <Text size="sm" c="dimmed">
            Only members can see the access token. Ask a project member for it.
          </Text>
        )}
        {maySeeTokens && inUse.length > 1 && (
          <NativeSelect
            label="Access token"
            w={260}
            value={tokenId ?? ''}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            data={inUse.map(({ id, name, hint }) => ({ value: id, label: `${name} (… ${hint})` }))}
          />
        )}
        {tokens.isPending || value.isLoading ? (
          <Loader size="sm" />
        ) : (
          <Ways
            projectId={projectId}
            access={access}
            how={how}
            framework={framework}
            onChange={(chosen) => void navigate({ search: (search) => ({ ...search, ...chosen }), replace: true })}
          />
        )}
        <Text size="sm" c="dimmed">
          All fields and the other operations: <Anchor href="/docs">API reference</Anchor>.
        </Text>
      </Section>
      <Suspense fallback={<Loader size="sm" />}>
        <PathChoice project={project} />
        <SiteTest
          key={`test ${projectId}`}
          project={project}
          isReader={!maySeeTokens}
          testVisitId={test}
          onSent={(id) => void navigate({ search: (search) => ({ ...search, test: id }), replace: true })}
        />
      </Suspense>
      <RefusedRequests projectId={projectId} />
      {opened?.isNew === false && <DemoSection />}
    </Stack>
  );
}
