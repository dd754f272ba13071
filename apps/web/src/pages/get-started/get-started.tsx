import { Loader, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { projectQuery, rejectedRequestsQuery, summariesQuery, tokenQuery, tokensQuery } from '../../api/queries.js';
import { getInstanceUrl } from '../../public-url.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { Disclosure } from '../../ui/disclosure.js';
import { Failure } from '../../ui/failure.js';
import { isActive } from '../../ui/is-active.js';
import { PageHeader } from '../../ui/page-header.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { DemoSection } from '../../ui/demo-data.js';
import { UnloadedToken } from '../../ui/unloaded-token.js';
import { Section } from '../../ui/section.js';
import { FirstVisit } from './first-visit.js';
import { RejectedRequests } from './rejected-requests.js';
import { TOKEN_PLACEHOLDER } from './snippets.js';
import { Integrations } from './integrations.js';

// Lazy-loaded because they're below the fold, or rarely needed.
const NoToken = lazy(() => import('./no-token.js'));
const PathChoice = lazy(() => import('./path-choice.js').then((module) => ({ default: module.PathChoice })));
const SiteTest = lazy(() => import('./site-test.js').then((module) => ({ default: module.SiteTest })));
const route = getRouteApi('/app/projects/$projectId/get-started');

const ADDRESS = getInstanceUrl();

export function GetStarted() {
  const { projectId } = route.useParams();
  const { how, framework, test } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Get started', project.name);
  const summaries = useQuery({ ...summariesQuery, refetchInterval: false });
  const isNew = summaries.data?.find(({ project_id: id }) => id === projectId)?.last_visit_at === null;
  // True if the project had no visits when the page was opened. Never updated, because the demo section would otherwise
  // move when the first visit arrives, while it's showing the progress of the demo.
  const [initialState, setInitialState] = useState<{ projectId: string; isNew: boolean }>();
  if (summaries.isSuccess && initialState?.projectId !== projectId) setInitialState({ projectId, isNew });
  const { hash } = useLocation();
  const { data: rejectedRequests = [] } = useQuery(rejectedRequestsQuery(projectId));
  const maySeeTokens = project.role !== 'viewer';
  const tokens = useQuery(tokensQuery(projectId));
  const activeTokens = tokens.data?.filter((token) => isActive(token)) ?? [];
  const [selected, setSelected] = useState<string | null>(null);
  const tokenId = activeTokens.find(({ id }) => id === selected)?.id ?? activeTokens[0]?.id;
  const value = useQuery({
    ...tokenQuery(projectId, tokenId ?? '', false),
    enabled: maySeeTokens && tokenId !== undefined,
  });
  const access = { address: ADDRESS, token: value.data ?? TOKEN_PLACEHOLDER };
  const header = <PageHeader title="Get started" lead="See who visits your site in three steps." />;
  // Once shown, the steps stay, because they follow the visits that arrive.
  const [shownProjectId, setShownProjectId] = useState<string>();
  const isLoading = tokens.isPending || value.isLoading;
  if (!summaries.isPending && !isLoading && shownProjectId !== projectId) setShownProjectId(projectId);
  if (shownProjectId !== projectId) {
    return (
      <Stack>
        {header}
        <CardSkeleton rows={2} />
        <CardSkeleton rows={6} />
        <CardSkeleton rows={4} />
      </Stack>
    );
  }
  return (
    <Stack>
      {header}
      {initialState?.isNew === true && <DemoSection />}
      <Integrations
        projectId={projectId}
        access={access}
        how={how}
        framework={framework}
        isLoading={isLoading}
        onChange={(change) => void navigate({ search: (search) => ({ ...search, ...change }), replace: true })}
      >
        {tokens.isError && <Failure error={tokens.error} retry={() => void tokens.refetch()} />}
        {value.isError && tokenId !== undefined && (
          <UnloadedToken
            projectId={projectId}
            tokenId={tokenId}
            error={value.error}
            retry={() => void value.refetch()}
          />
        )}
        <Suspense fallback={<Loader size="sm" />}>
          {tokens.isSuccess && activeTokens.length === 0 && <NoToken project={project} mayMake={maySeeTokens} />}
        </Suspense>
        {!maySeeTokens && (
          <Text size="sm" c="dimmed">
            Only members can see the access token. Ask a project member for it.
          </Text>
        )}
        {maySeeTokens && activeTokens.length > 1 && (
          <NativeSelect
            label="Access token"
            w={260}
            value={tokenId ?? ''}
            onChange={({ currentTarget }) => setSelected(currentTarget.value)}
            data={activeTokens.map(({ id, name, hint }) => ({ value: id, label: `${name} (… ${hint})` }))}
          />
        )}
      </Integrations>
      <Section
        title="3. Check that visits arrive"
        lead="Agent Traffic identifies each visitor a moment after your site reports the visit."
      >
        <FirstVisit key={projectId} projectId={projectId} isNew={initialState?.isNew ?? false} />
        <Suspense fallback={<Skeleton h={104} animate={false} />}>
          <SiteTest
            key={`test ${projectId}`}
            project={project}
            isReader={!maySeeTokens}
            testVisitId={test}
            onSent={(id) => void navigate({ search: (search) => ({ ...search, test: id }), replace: true })}
          />
        </Suspense>
      </Section>
      <Disclosure label="More options" isForcedOpen={hash === 'visitor-path' || rejectedRequests.length > 0}>
        <Suspense fallback={<Loader size="sm" />}>
          <PathChoice project={project} />
        </Suspense>
        <RejectedRequests projectId={projectId} />
        {initialState?.isNew === false && <DemoSection />}
      </Disclosure>
    </Stack>
  );
}
