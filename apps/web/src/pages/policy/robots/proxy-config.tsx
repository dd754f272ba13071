import { Loader, Stack, Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.css';
import { useQuery } from '@tanstack/react-query';
import type { Project } from '../../../api/client.js';
import { tokenQuery, tokensQuery } from '../../../api/queries.js';
import { getInstanceUrl } from '../../../public-url.js';
import { Failure } from '../../../ui/failure.js';
import { isActive } from '../../../ui/is-active.js';
import { Section } from '../../../ui/section.js';
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
      <Section
        title="Block at the proxy"
        lead="Your proxy checks each request with this instance. It applies your policy, and blocks other agents according to the current saved version. New agents and rules take effect immediately, and your site receives each visitor’s verdict."
      >
        <UnconfirmedPathNote
          project={project}
          consequence="Until then, visitors can evade rules that allow verified agents."
        />
        {tokens.isError && <Failure error={tokens.error} retry={() => void tokens.refetch()} />}
        {activeToken !== undefined && token.isError && (
          <UnloadedToken
            projectId={id}
            tokenId={activeToken.id}
            error={token.error}
            retry={() => void token.refetch()}
          />
        )}
        {tokens.isLoading || token.isLoading ? (
          <Loader size="sm" />
        ) : (
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
        )}
      </Section>
      <StaticLimits projectId={id} />
    </>
  );
}
