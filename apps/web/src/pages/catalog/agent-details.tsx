import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { AGENT_BEHAVIOR_NAMES, METHODS, getAgentMethods } from '#libs/agents/vocabulary';
import type { Agent } from '../../api/catalog-queries.js';
import { client, data } from '../../api/client.js';
import { formatCount } from '../../format/count.js';
import { formatTime } from '../../format/time.js';
import { CopyButton } from '../../ui/copy-button.js';
import { DescriptionList } from '../../ui/description-list.js';
import { describeOrigin } from '../../ui/origin.js';
import { RecordActions } from '../../ui/record-actions.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { AgentProjects } from './agent-projects.js';
import { EarlierVisits } from './earlier-visits.js';
import type { CatalogSearch } from './search.js';

/** Maximum number of address ranges shown. The JSON contains all of them. */
const MAX_RANGES = 20;

interface AgentDetailsProps {
  agent: Agent;
  mayChange: boolean;
  onOpen: (to: Partial<CatalogSearch>) => void;
}

export function AgentDetails({ agent, mayChange, onOpen }: AgentDetailsProps) {
  const queryClient = useQueryClient();
  const { verification } = agent;
  const ranges = verification.ip_ranges ?? [];
  // If true, removing the agent deletes it, because there's no earlier version to restore.
  const isDeletable = agent.origin !== 'bundled' && !agent.is_edited;
  const remove = async (): Promise<void> => {
    await data(client.DELETE('/api/agents/{agent}', { params: { path: { agent: agent.id } } }));
    if (isDeletable) onOpen({});
    await queryClient.invalidateQueries({ queryKey: ['catalog'] });
  };
  const methods = getAgentMethods(verification).map((method) => METHODS[method]);
  return (
    <Stack gap="md">
      <AgentProjects agent={agent} />
      <DescriptionList
        facts={[
          ['Type', agent.type],
          ['Behaviors', agent.behaviors?.map((behavior) => AGENT_BEHAVIOR_NAMES[behavior]).join(', ')],
          ['Discontinued on', agent.ended_on],
          ['Operator', agent.operator ?? 'unknown'],
          [
            'Documentation',
            agent.url === null ? (
              'none known'
            ) : (
              <Anchor href={agent.url} rel="noreferrer" target="_blank" size="sm">
                {agent.url}
              </Anchor>
            ),
          ],
          [
            'In robots.txt',
            agent.robots_token === null ? 'has no token of its own' : <Code>{agent.robots_token}</Code>,
          ],
          ['Verified by', methods.length === 0 ? 'can’t be verified' : methods.join(', ')],
          ['Kind', describeKind(agent)],
          [
            'Origin',
            describeOrigin({ ...agent, feed_name: agent.feed?.name ?? null, is_gone: agent.feed?.gone_at != null }),
          ],
          [
            agent.feed ? 'Accepted' : 'Last changed',
            <RelativeTime time={agent.feed?.accepted_at ?? agent.changed_at} />,
          ],
          ['Sources', agent.sources?.join(', ')],
        ]}
      />
      <TextList title="User-Agent patterns" texts={agent.user_agent_patterns} />
      <TextList
        title="Loose patterns, which also match parts of words, contact addresses and apps"
        texts={agent.loose_patterns ?? []}
      />
      <TextList
        title="Patterns to rewrite, which still match but can’t be saved as they are"
        texts={(agent.faults ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`)}
      />
      <TextList
        title="Not matched directly after"
        texts={(agent.excluded_prefixes ?? []).map((prefix) => JSON.stringify(prefix))}
      />
      <TextList title="Examples" texts={agent.sample_user_agents ?? []} />
      <TextList title="Web Bot Auth key directories" texts={verification.signature_agents ?? []} />
      <TextList title="DNS host name suffixes" texts={verification.reverse_dns_suffixes ?? []} />
      <TextList title="Published address lists" texts={(verification.ip_list_urls ?? []).map(({ url }) => url)} />
      <TextList
        title={`Address ranges${verification.ip_ranges_as_of ? `, as of ${formatTime(verification.ip_ranges_as_of, 'UTC', { dateStyle: 'medium' })}` : ''}`}
        texts={ranges.slice(0, MAX_RANGES)}
        more={ranges.length - MAX_RANGES}
      />
      {(agent.origin !== 'bundled' || agent.is_edited) && <EarlierVisits agent={agent} />}
      <Group gap="xs">
        {mayChange && (
          <RecordActions
            name={agent.token}
            isOwn={isDeletable}
            isEdited={agent.is_edited}
            onChange={() => onOpen({ agent: agent.token, edit: true })}
            remove={remove}
            consequence={
              isDeletable
                ? 'New visits will no longer be identified as this agent. Earlier visits don’t change.'
                : 'This restores the version from the release or from the agent’s feed.'
            }
          />
        )}
        <CopyButton text={JSON.stringify(agent, null, 2)} what="the agent as JSON" label="Copy JSON" />
        <CopyButton text={location.href} what="a link to this agent" label="Copy link" />
      </Group>
    </Stack>
  );
}

function describeKind(agent: Agent): string | null {
  if (agent.generic) return 'a library or framework that others build on';
  if (agent.robots_only) return 'never sent in a User-Agent';
  return agent.signature_only ? "sends a stock browser's User-Agent" : null;
}

function TextList({ title, texts, more = 0 }: { title: string; texts: readonly string[]; more?: number }) {
  if (texts.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      {texts.map((text) => (
        <Code key={text} block p={4} mt={2} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Code>
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          and {formatCount(more)} more. “Copy JSON” includes all of them.
        </Text>
      )}
    </div>
  );
}
