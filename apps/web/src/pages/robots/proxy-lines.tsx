import { Loader, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Project } from '../../api/client.js';
import { tokenQuery, tokensQuery } from '../../api/queries.js';
import { shownAddress } from '../../public-url.js';
import { Failure } from '../../ui/failure.js';
import { isActive } from '../../ui/is-active.js';
import { Section } from '../../ui/section.js';
import { TokenNotShown } from '../../ui/token-not-shown.js';
import { Parts } from '../../ui/parts.js';
import { UnconfirmedNote } from '../../visitor-path/unconfirmed-note.js';
import { PROXIES } from './proxy-parts.js';

/** Placeholder for a token that is hidden or missing. */
const TOKEN_PLACE = 'agt_…';

/** Proxy configuration that checks each request with this instance and enforces the saved rules. */
export function ProxyLines({ project }: { project: Project }) {
  const { id, role } = project;
  const isShown = role !== 'viewer';
  const tokens = useQuery({ ...tokensQuery(id), enabled: isShown });
  const inUse = tokens.data?.find((token) => isActive(token));
  const token = useQuery({ ...tokenQuery(id, inUse?.id ?? '', false), enabled: inUse !== undefined });
  const access = { address: shownAddress(), token: token.data ?? TOKEN_PLACE };
  return (
    <Section
      title="Refuse at the proxy"
      lead="Your proxy asks before it answers, and refuses by the current saved version. It knows new agents and rules immediately, and tells your site who the visitor is."
    >
      <UnconfirmedNote project={project} consequence="Until then, a rule that lets verified agents in can be evaded." />
      {tokens.isError && <Failure error={tokens.error} retry={() => void tokens.refetch()} />}
      {inUse !== undefined && token.isError && (
        <TokenNotShown projectId={id} tokenId={inUse.id} error={token.error} retry={() => void token.refetch()} />
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
                <Parts label={label} parts={parts(access)} />
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </Section>
  );
}
