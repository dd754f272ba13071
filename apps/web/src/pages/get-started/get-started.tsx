import { Anchor, Loader, NativeSelect, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { projectQuery, tokenQuery, tokensQuery } from '../../api/queries.js';
import { instanceAddress } from '../../public-url.js';
import { Failure } from '../../ui/failure.js';
import { usePageTitle } from '../../ui/page-title.js';
import { Section } from '../../ui/section.js';
import { Snippet } from '../../ui/snippet.js';
import { NoToken } from './no-token.js';
import { FirstVisit } from './first-visit.js';
import { RefusedRequests } from './refused-requests.js';
import { SiteTest } from './site-test.js';
import { curlSnippet, logSnippet, nodeSnippet, TOKEN_PLACE } from './snippets.js';

const route = getRouteApi('/app/projects/$projectId/get-started');

const ADDRESS = instanceAddress(
  document.querySelector<HTMLMetaElement>('meta[name="public-url"]')?.content,
  location.origin,
);

const WAYS = {
  curl: { label: 'curl', lead: 'One visit from a shell, to see that it works.', snippet: curlSnippet },
  node: { label: 'Node.js', lead: 'Every visit of a Node.js server, as it happens.', snippet: nodeSnippet },
  log: { label: 'Access log', lead: 'Apache or nginx, common or combined format.', snippet: logSnippet },
} as const;
type Way = keyof typeof WAYS;

export function GetStarted() {
  const { projectId } = route.useParams();
  const { how, test } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Get started', project.name);
  const maySeeTokens = project.role !== 'viewer';
  const tokens = useQuery(tokensQuery(projectId));
  const inUse = tokens.data?.filter(({ revoked_at: at }) => at === null) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const tokenId = inUse.find(({ id }) => id === chosen)?.id ?? inUse[0]?.id;
  const value = useQuery({ ...tokenQuery(projectId, tokenId ?? ''), enabled: maySeeTokens && tokenId !== undefined });
  const access = { address: ADDRESS, token: value.data ?? TOKEN_PLACE };
  const way: Way = how !== undefined && how in WAYS ? (how as Way) : 'curl';
  return (
    <Stack maw={860}>
      <div>
        <Title order={1}>Get started</Title>
        <Text c="dimmed" size="sm">
          Your site reports each visit. Agent Traffic identifies the visitor a moment later.
        </Text>
      </div>
      <FirstVisit key={projectId} projectId={projectId} />
      <Section title="Report visits">
        {tokens.isError && <Failure error={tokens.error} retry={() => void tokens.refetch()} />}
        {value.isError && <Failure error={value.error} title="The token can't be shown" />}
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
        <Tabs
          value={way}
          onChange={(next) =>
            void navigate({ search: (search) => ({ ...search, how: next ?? undefined }), replace: true })
          }
          keepMounted={false}
        >
          <Tabs.List>
            {Object.entries(WAYS).map(([key, { label }]) => (
              <Tabs.Tab key={key} value={key}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {Object.entries(WAYS).map(([key, { label, lead, snippet }]) => (
            <Tabs.Panel key={key} value={key} pt="sm">
              <Stack gap="xs">
                <Text size="sm">{lead}</Text>
                {tokens.isPending || value.isLoading ? (
                  <Loader size="sm" />
                ) : (
                  <Snippet text={snippet(access)} what={`the lines for ${label}`} />
                )}
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
        <Text size="sm" c="dimmed">
          All fields and the other operations: <Anchor href="/docs">the interface</Anchor>.
        </Text>
      </Section>
      <SiteTest
        key={`test ${projectId}`}
        project={project}
        isReader={!maySeeTokens}
        testVisitId={test}
        onSent={(id) => void navigate({ search: (search) => ({ ...search, test: id }), replace: true })}
      />
      <RefusedRequests projectId={projectId} />
    </Stack>
  );
}
