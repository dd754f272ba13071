import { Button, List, Loader, Stack, Tabs, Text } from '@mantine/core';
import '@mantine/core/styles/List.css';
import '@mantine/core/styles/Tabs.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, data, type Project } from '../../../api/client.js';
import { policyCountsQuery } from '../../../api/policy.js';
import { tokenQuery, tokensQuery } from '../../../api/queries.js';
import { formatCount } from '../../../format/count.js';
import { getInstanceUrl } from '../../../public-url.js';
import { Answer } from '../../../ui/answer.js';
import { Failure } from '../../../ui/failure.js';
import { isActive } from '../../../ui/is-active.js';
import { LastUsed } from '../../../ui/last-used.js';
import { Section } from '../../../ui/section.js';
import { TextLink } from '../../../ui/text-link.js';
import { UnloadedToken } from '../../../ui/unloaded-token.js';
import { SnippetList } from '../../../ui/snippet-list.js';
import { UnconfirmedPathNote } from '../../../visitor-path/unconfirmed-note.js';
import { PROXIES } from './proxy-parts.js';
import { StaticLimits } from './static-limits.js';

/** Stands in for a hidden or missing token. */
const TOKEN_PLACEHOLDER = 'agt_…';

/** Shows proxy configuration that checks each request with this instance and enforces the policy and saved rules. */
export function ProxyConfig({ project }: { project: Project }) {
  const { id, role } = project;
  const canSeeTokens = role !== 'viewer';
  const tokens = useQuery({ ...tokensQuery(id), enabled: canSeeTokens });
  const activeToken = tokens.data?.find((token) => isActive(token));
  const token = useQuery({ ...tokenQuery(id, activeToken?.id ?? '', false), enabled: activeToken !== undefined });
  const access = { address: getInstanceUrl(), token: token.data ?? TOKEN_PLACEHOLDER };
  return (
    <>
      <Status projectId={id} />
      <Section
        title="Block at the proxy"
        lead="Your proxy asks this instance about each request and applies the policy. Other agents are blocked if the saved robots.txt disallows them. Changes take effect immediately."
      >
        <UnconfirmedPathNote
          project={project}
          consequence="Until then, visitors can evade rules that allow verified agents."
        />
        {tokens.isError && <Failure error={tokens.error} retry={() => void tokens.refetch()} />}
        {tokens.isLoading || token.isLoading ? (
          <Loader size="sm" />
        ) : (
          <List type="ordered" spacing="md" styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}>
            <List.Item>
              <Stack gap={6} align="flex-start">
                <Text fw={500}>Access token</Text>
                {activeToken === undefined ? (
                  <MissingToken project={project} />
                ) : token.isError ? (
                  <UnloadedToken
                    projectId={id}
                    tokenId={activeToken.id}
                    error={token.error}
                    retry={() => void token.refetch()}
                  />
                ) : (
                  <Text size="sm">
                    The lines below contain “{activeToken.name}”, <LastUsed time={activeToken.last_used_at} />.
                  </Text>
                )}
              </Stack>
            </List.Item>
            <List.Item>
              <Text fw={500} mb={4}>
                Add these lines to your proxy
              </Text>
              <Tabs defaultValue="nginx" keepMounted={false}>
                <Tabs.List>
                  {Object.entries(PROXIES).map(([name, { label }]) => (
                    <Tabs.Tab key={name} value={name}>
                      {label}
                    </Tabs.Tab>
                  ))}
                </Tabs.List>
                {Object.entries(PROXIES).map(([name, { label, parts }]) => (
                  <Tabs.Panel key={name} value={name} pt="sm">
                    <Stack gap="sm">
                      <SnippetList label={label} parts={parts(access)} />
                    </Stack>
                  </Tabs.Panel>
                ))}
              </Tabs>
            </List.Item>
            <List.Item>
              <Text fw={500}>Reload the proxy</Text>
              <Text size="sm">
                Then{' '}
                <TextLink
                  to="/projects/$projectId/policy"
                  params={{ projectId: id }}
                  search={{ view: 'proof' }}
                  inherit
                >
                  prove that it works
                </TextLink>
                .
              </Text>
            </List.Item>
          </List>
        )}
      </Section>
      <StaticLimits projectId={id} />
    </>
  );
}

/** Shows whether the proxy has asked for decisions. */
function Status({ projectId }: { projectId: string }) {
  const { data: counted } = useQuery(policyCountsQuery(projectId));
  if (counted === undefined) return <Answer>Checking the connection…</Answer>;
  const decisions = counted.counts
    .filter(({ mode }) => mode === 'live')
    .reduce((sum, count) => sum + count.decisions, 0);
  if (counted.counts.length === 0) return <Answer>Not connected yet</Answer>;
  return (
    <Answer>
      {`Connected: your live rules decided on ${formatCount(decisions)} ${decisions === 1 ? 'request' : 'requests'} in the last 30 days.`}
    </Answer>
  );
}

function MissingToken({ project: { id, is_demo: isDemo, role } }: { project: Project }) {
  const queryClient = useQueryClient();
  const creating = useMutation({
    mutationFn: () => data(client.POST('/api/projects/{id}/tokens', { params: { path: { id } }, body: {} })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery(id).queryKey, exact: true }),
  });
  if (isDemo || role === 'viewer') {
    return (
      <Text size="sm">
        {isDemo
          ? 'A demo project has no access token. In your own project, it’s filled in here.'
          : 'Ask an owner of the project for an access token.'}{' '}
        In the lines below, {TOKEN_PLACEHOLDER} stands for it.
      </Text>
    );
  }
  return (
    <>
      <Button size="compact-sm" loading={creating.isPending} onClick={() => creating.mutate()}>
        Create access token
      </Button>
      {creating.isError && <Failure error={creating.error} />}
    </>
  );
}
