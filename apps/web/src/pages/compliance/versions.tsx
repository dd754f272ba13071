import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Project } from '../../api/client.js';
import {
  refreshRobotsVersions,
  robotsVersionsQuery,
  type RobotsTxtHost,
  type RobotsVersion,
} from '../../api/robots-versions.js';
import { formatBytes } from '../../format/bytes.js';
import { quoteForShell } from '../../format/quote-for-shell.js';
import { command, INSTALL_LOCATION } from '../../ui/command.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { formatFullTime, RelativeTime } from '../../ui/relative-time.js';
import { Snippet } from '../../ui/snippet.js';
import { TextLink } from '../../ui/text-link.js';

/** Describes a robots.txt response and its effect under RFC 9309, section 2.3.1. */
export function describeResponse({
  status,
  is_recorded: isRecorded,
}: Pick<RobotsVersion, 'status' | 'is_recorded'>): string {
  const suffix = isRecorded ? ', recorded' : '';
  if (status === null) return 'No response: disallows everything';
  if (status >= 500) return `Error ${status}: disallows everything${suffix}`;
  return status >= 400 ? `No file (${status}): allows everything${suffix}` : `File${suffix}`;
}

export interface VersionsProps {
  project: Project;
  timeZone: string;
  onOpen: (versionId: string) => void;
  lead: ReactNode;
}

export default function Versions({ project, timeZone, onOpen, lead }: VersionsProps) {
  const response = useInfiniteQuery(robotsVersionsQuery(project.id));
  const queryClient = useQueryClient();
  const fetching = useMutation({
    mutationFn: () => refreshRobotsVersions(project.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: robotsVersionsQuery(project.id).queryKey }),
  });
  const hosts = response.data?.pages[0]?.hosts ?? [];
  const versions = response.data?.pages.flatMap((page) => page.versions) ?? [];
  const mayChange = project.role !== 'viewer';
  const columns: readonly TableColumn<RobotsVersion>[] = [
    {
      key: 'from',
      label: 'Active from',
      isHead: true,
      isTime: true,
      value: (version) => version.served_from,
      cell: ({ id, host, served_from: from }) => (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onOpen(id)}
          aria-label={`Show the version for ${host} from ${formatFullTime(from, timeZone)}`}
        >
          <time dateTime={from}>{formatFullTime(from, timeZone)}</time>
        </Button>
      ),
    },
    {
      key: 'until',
      label: 'Until',
      isTime: true,
      value: (version) => version.served_until,
      cell: ({ served_until: until }) =>
        until === null ? 'now' : <time dateTime={until}>{formatFullTime(until, timeZone)}</time>,
    },
    { key: 'host', label: 'Host', value: (version) => version.host },
    { key: 'status', label: 'Response', value: describeResponse },
    {
      key: 'size',
      label: 'Size',
      isNumber: true,
      value: (version) => version.size,
      cell: ({ size }) => (size === null ? '–' : formatBytes(size)),
    },
  ];
  return (
    <Stack gap="xs">
      {response.isError && <Failure error={response.error} title="Couldn't load the versions" />}
      {response.data !== undefined && hosts.length === 0 && (
        <EmptyState title="No host name yet">
          Each visit is checked against its host’s robots.txt.{' '}
          <TextLink to="/projects/$projectId/settings" params={{ projectId: project.id }}>
            Add the site’s host name
          </TextLink>{' '}
          so its robots.txt can be fetched.
        </EmptyState>
      )}
      {/* Hosts in the demo project don't exist, so they can't be fetched. */}
      {hosts.length > 0 && !project.is_demo && (
        <Group justify="space-between" align="start" gap="sm">
          <Stack gap={2}>
            {hosts.map((host) => (
              <HostLine key={host.host} host={host} />
            ))}
          </Stack>
          {mayChange && (
            <Button size="xs" variant="default" loading={fetching.isPending} onClick={() => fetching.mutate()}>
              Fetch now
            </Button>
          )}
        </Group>
      )}
      {fetching.isError && <Failure error={fetching.error} title="Couldn't fetch robots.txt" />}
      {(hosts.length > 0 || versions.length > 0) && (
        <DataTable
          label="robots.txt versions"
          toolbar={lead}
          columns={columns}
          rows={versions}
          rowKey={({ id }) => id}
          initial="from"
          owner={project.name}
          more={response}
          moreLabel="Load older versions"
          empty={hosts[0] && <NoVersion project={project} host={hosts[0].host} />}
        />
      )}
    </Stack>
  );
}

function HostLine({ host: { host, checked_at: checkedAt, fault } }: { host: RobotsTxtHost }) {
  return (
    <Text size="sm">
      {host}:{' '}
      {checkedAt === null ? (
        'not fetched yet'
      ) : (
        <>
          {fault === null ? 'fetched' : 'last attempt'} <RelativeTime time={checkedAt} />
        </>
      )}
      {fault !== null && (
        <Text span size="sm" c="var(--failed)">
          : {fault}
        </Text>
      )}
    </Text>
  );
}

function NoVersion({ project, host }: { project: Project; host: string }) {
  // Must match the scheme that the instance uses to fetch robots.txt.
  const scheme = project.site_address?.toLowerCase().startsWith('http:') ? 'http' : 'https';
  return (
    <Stack gap="xs">
      <EmptyState title="No version yet">
        Visits can’t be checked until a version is fetched. Select “Fetch now”. If this instance can’t reach the site,
        record the file on a machine that can, {INSTALL_LOCATION}:
      </EmptyState>
      <Snippet
        what="Command to record robots.txt"
        text={`curl -fsS ${quoteForShell(`${scheme}://${host}/robots.txt`)} | ${command(`robots record - --project ${quoteForShell(project.name)}`)}`}
      />
    </Stack>
  );
}
