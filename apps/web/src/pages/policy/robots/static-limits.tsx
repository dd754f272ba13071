import { Button, Code, Group, Loader, Stack, Tabs, Text } from '@mantine/core';
import '@mantine/core/styles/Tabs.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LimitServer } from '#libs/contracts';
import { policyLimitsQuery } from '../../../api/policy.js';
import { formatBytes } from '../../../format/bytes.js';
import { formatCount } from '../../../format/count.js';
import { command, INSTALL_LOCATION } from '../../../ui/command.js';
import { downloadFile } from '../../../ui/download-file.js';
import { Failure } from '../../../ui/failure.js';
import { Section } from '../../../ui/section.js';
import { Snippet } from '../../../ui/snippet.js';

const LABELS: Record<LimitServer, string> = { nginx: 'nginx', haproxy: 'HAProxy', caddy: 'Caddy' };

/** Shows the files with which a server applies limits without asking the instance. */
export function StaticLimits({ projectId }: { projectId: string }) {
  const [server, setServer] = useState<LimitServer>('nginx');
  const limits = useQuery(policyLimitsQuery(projectId, server));
  const ignored = limits.data?.ignored_rules ?? [];
  return (
    <Section
      title="Limit rates without calling this instance"
      lead="If your proxy should not contact this instance, use these files instead. They contain the limits of live rules. Agents are verified by the address ranges that their operators publish."
    >
      <Tabs value={server} onChange={(value) => setServer(value as LimitServer)}>
        <Tabs.List aria-label="Server">
          {Object.entries(LABELS).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {limits.isError && <Failure error={limits.error} retry={() => void limits.refetch()} />}
      {limits.isPending && <Loader size="sm" role="status" aria-label="Loading" />}
      {limits.data && (
        <Stack gap="xs">
          {limits.data.files.map(({ name, purpose, text }) => (
            <Group key={name} gap="xs" justify="space-between">
              <Text size="sm">
                <Code>{name}</Code> {purpose}. {formatBytes(new Blob([text]).size)}
              </Text>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Download ${name}`}
                onClick={() => downloadFile(name, text)}
              >
                Download
              </Button>
            </Group>
          ))}
          <Text size="sm">
            {limits.data.agents === 0
              ? 'No live rule slows agents down.'
              : `These files limit ${formatCount(limits.data.agents)} ${limits.data.agents === 1 ? 'agent' : 'agents'}.`}
          </Text>
          {ignored.length > 0 && (
            <Text size="sm">Not included, because they depend on more than the agent: {ignored.join(', ')}</Text>
          )}
          <Text size="sm" c="dimmed">
            Run this regularly, {INSTALL_LOCATION}, and reload {LABELS[server]} when a file changes:
          </Text>
          <Snippet
            text={command(`policy limits --server ${server} --output FOLDER --project ${projectId}`)}
            what="the command for limits"
          />
        </Stack>
      )}
    </Section>
  );
}
