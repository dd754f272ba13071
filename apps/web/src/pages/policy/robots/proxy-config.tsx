import { Button, Group, List, Loader, Skeleton, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/List.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, data, type Project } from '../../../api/client.js';
import { policyCountsQuery, policyQuery, type RuleCount } from '../../../api/policy.js';
import { tokenQuery, tokensQuery } from '../../../api/queries.js';
import type { RulesSelection } from '../../../api/rules-queries.js';
import { formatCount } from '../../../format/count.js';
import { getInstanceUrl } from '../../../public-url.js';
import { Answer } from '../../../ui/answer.js';
import { DataTable } from '../../../ui/data-table.js';
import { Disclosure } from '../../../ui/disclosure.js';
import { Failure } from '../../../ui/failure.js';
import { isActive } from '../../../ui/is-active.js';
import { LastUsed } from '../../../ui/last-used.js';
import { Section } from '../../../ui/section.js';
import { Segments } from '../../../ui/segments.js';
import { Snippet } from '../../../ui/snippet.js';
import { TextLink } from '../../../ui/text-link.js';
import { UnloadedToken } from '../../../ui/unloaded-token.js';
import { SnippetList } from '../../../ui/snippet-list.js';
import { UnconfirmedPathNote } from '../../../visitor-path/unconfirmed-note.js';
import { describeCounts } from '../../../rules/rule-text.js';
import { PROXIES } from './proxy-parts.js';
import { StaticBlocks } from './static-blocks.js';
import { StaticLimits } from './static-limits.js';

/** Stands in for a hidden or missing token. */
const TOKEN_PLACEHOLDER = 'agt_…';

/** Commands that check and load the changed configuration. */
const RELOAD_COMMANDS: Record<string, string> = {
  nginx: 'sudo nginx -t && sudo systemctl reload nginx',
  caddy: 'sudo systemctl reload caddy',
  traefik: 'sudo systemctl restart traefik',
  envoy: 'sudo systemctl restart envoy',
  haproxy: 'sudo haproxy -c -f /etc/haproxy/haproxy.cfg && sudo systemctl reload haproxy',
};

const SERVERS = Object.entries(PROXIES).map(([value, { label }]) => ({ value, label }));

/** Shows how to make a proxy check each request with this instance, and whether it does. */
export function ProxyConfig({ project, selection }: { project: Project; selection: RulesSelection }) {
  const { id, role } = project;
  const [server, setServer] = useState('nginx');
  const { label, parts } = PROXIES[server]!;
  const canSeeTokens = role !== 'viewer';
  const tokens = useQuery({ ...tokensQuery(id), enabled: canSeeTokens });
  const activeToken = tokens.data?.find((token) => isActive(token));
  const token = useQuery({ ...tokenQuery(id, activeToken?.id ?? '', false), enabled: activeToken !== undefined });
  const counts = useQuery(policyCountsQuery(id));
  // Never updated, so the setup stays open while the first decision arrives.
  const [wasConnected, setWasConnected] = useState<boolean>();
  if (!counts.isPending && wasConnected === undefined) setWasConnected((counts.data?.counts.length ?? 0) > 0);
  const access = { address: getInstanceUrl(), token: token.data ?? TOKEN_PLACEHOLDER };
  const setup = (
    <Section
      title="Block at the proxy"
      lead="Your proxy asks this instance about each request and applies the policy. Other agents are blocked if the saved robots.txt disallows them. Changes take effect immediately."
      actions={<Segments label="Server" options={SERVERS} value={server} onChange={setServer} />}
    >
      {tokens.isError && <Failure error={tokens.error} retry={() => void tokens.refetch()} />}
      {tokens.isLoading || token.isLoading ? (
        <Skeleton h={480} animate={false} role="status" aria-label="Loading" />
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
              Add these lines to {label}
            </Text>
            {/* Snippets start collapsed again for another server. */}
            <Stack gap="sm" key={server}>
              <SnippetList label={label} parts={parts(access)} />
            </Stack>
          </List.Item>
          <List.Item>
            <Snippet
              title={`Reload ${label}`}
              text={RELOAD_COMMANDS[server]!}
              what={`the command to reload ${label}`}
            />
          </List.Item>
          <List.Item>
            <Text fw={500}>Check that it works</Text>
            <Check projectId={id} />
          </List.Item>
        </List>
      )}
    </Section>
  );
  return (
    <>
      <Status project={project} />
      <UnconfirmedPathNote
        project={project}
        consequence="Until then, visitors can evade rules that allow verified agents."
      />
      {wasConnected === true && <LiveRules projectId={id} />}
      {wasConnected === undefined ? (
        <Skeleton h={480} animate={false} role="status" aria-label="Loading" />
      ) : wasConnected ? (
        <Disclosure label="Show setup">{setup}</Disclosure>
      ) : (
        setup
      )}
      <Disclosure label="Block agents without calling this instance">
        <StaticBlocks projectId={id} selection={selection} />
      </Disclosure>
      <Disclosure label="Limit rates without calling this instance">
        <StaticLimits projectId={id} />
      </Disclosure>
    </>
  );
}

/** Polling interval while no decision has arrived. */
const POLL_INTERVAL_MS = 5_000;

const sumUp = (counts: readonly RuleCount[]): number => counts.reduce((sum, { decisions }) => sum + decisions, 0);

/** Queries the decisions of the last 30 days, and whether the first of them arrived while the page was open. */
function useDecisions(projectId: string) {
  const { data } = useQuery({
    ...policyCountsQuery(projectId),
    refetchInterval: ({ state }) => (state.data?.counts.length === 0 ? POLL_INTERVAL_MS : 60_000),
  });
  if (data === undefined) return null;
  return {
    all: sumUp(data.counts),
    live: sumUp(data.counts.filter(({ mode }) => mode === 'live')),
    lastHour: data.last_hour,
  };
}

const formatRequests = (count: number): string => `${formatCount(count)} ${count === 1 ? 'request' : 'requests'}`;

const HOUR_MS = 3_600_000;

/** Returns "less than an hour ago" or an hour, such as "Dec 1, 11:00 – 12:00". Decisions are counted by hour. */
const formatLastHour = (hour: string, timeZone: string): string => {
  if (Date.now() < Date.parse(hour) + HOUR_MS) return 'less than an hour ago';
  return new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).formatRange(Date.parse(hour), Date.parse(hour) + HOUR_MS);
};

/** Shows whether the proxy has asked for decisions. */
function Status({ project: { id, time_zone: timeZone } }: { project: Project }) {
  const decisions = useDecisions(id);
  if (decisions === null) return <Answer>Checking the connection…</Answer>;
  if (decisions.all === 0) return <Answer>No rule has decided on a request in the last 30 days.</Answer>;
  return (
    <Answer
      notes={
        <p>
          {decisions.lastHour != null && `Last decision: ${formatLastHour(decisions.lastHour, timeZone)}. `}
          Use <ProofLink projectId={id} /> to check that your site follows your rules.
        </p>
      }
    >{`Connected: your live rules decided on ${formatRequests(decisions.live)} in the last 30 days.`}</Answer>
  );
}

/** Requests that each live rule decided on. */
function LiveRules({ projectId }: { projectId: string }) {
  const { data: policy, isPending } = useQuery(policyQuery(projectId));
  const { data: counted } = useQuery(policyCountsQuery(projectId));
  if (isPending) return <Skeleton h={200} animate={false} />;
  const rows = (policy?.rules ?? [])
    .filter(({ mode }) => mode === 'live')
    .map((rule) => {
      const ids = new Set([rule.id, ...(rule.exceptions ?? []).map(({ id }) => id)]);
      const counts = (counted?.counts ?? []).filter(({ mode, rule_id: id }) => mode === 'live' && ids.has(id));
      return { rule, outcomes: describeCounts(counts, [...ids]), requests: sumUp(counts) };
    });
  if (rows.length === 0) return null;
  return (
    <Section
      title="Live rules"
      lead="Requests in the last 30 days. If your proxy can’t reach this instance, its requests don’t appear here."
    >
      <DataTable
        label="Live rules"
        rows={rows}
        rowKey={({ rule }) => rule.id}
        columns={[
          {
            key: 'rule',
            label: 'Rule',
            isHead: true,
            cell: ({ rule, requests }) =>
              requests === 0 ? (
                rule.name
              ) : (
                <TextLink to="/projects/$projectId/policy/rules/$ruleId" params={{ projectId, ruleId: rule.id }}>
                  {rule.name}
                </TextLink>
              ),
          },
          {
            key: 'outcomes',
            label: 'Outcomes',
            cell: ({ outcomes }) => outcomes || 'No requests yet',
          },
          { key: 'requests', label: 'Requests', isNumber: true, value: ({ requests }) => requests },
        ]}
      />
    </Section>
  );
}

/** Last step: waits for the first decision, and then shows that it arrived. */
function Check({ projectId }: { projectId: string }) {
  const decisions = useDecisions(projectId);
  const [wasWaiting, setWasWaiting] = useState(false);
  const isWaiting = decisions?.all === 0;
  if (isWaiting && !wasWaiting) setWasWaiting(true);
  const proof = <ProofLink projectId={projectId} />;
  return (
    <Group gap="xs" role="status">
      {isWaiting && <Loader size="xs" type="dots" aria-hidden />}
      <Text size="sm">
        {decisions === null ? (
          'Checking…'
        ) : isWaiting ? (
          <>Waiting for the first decision. It’ll appear here automatically. {proof} sends test requests as agents.</>
        ) : (
          <>
            {wasWaiting ? 'The first decision has arrived.' : 'Decisions arrived in the last 30 days.'} Use {proof} to
            check that your site follows your rules.
          </>
        )}
      </Text>
    </Group>
  );
}

const ProofLink = ({ projectId }: { projectId: string }) => (
  <TextLink to="/projects/$projectId/policy" params={{ projectId }} search={{ view: 'proof' }} inherit>
    Prove it
  </TextLink>
);

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
