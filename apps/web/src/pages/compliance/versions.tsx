import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Project } from '../../api/client.js';
import {
  refreshRobotsVersions,
  robotsVersionsQuery,
  type RobotsHost,
  type RobotsVersion,
} from '../../api/robots-versions.js';
import { bytesText } from '../../format/bytes.js';
import { quoted } from '../../format/shell-word.js';
import { command, WHERE } from '../../ui/command.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { fullTime, RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { Snippet } from '../../ui/snippet.js';
import { TextLink } from '../../ui/text-link.js';

/** Describes a host's response according to RFC 9309, section 2.3.1. */
export function whatOf({ status, is_recorded: isRecorded }: Pick<RobotsVersion, 'status' | 'is_recorded'>): string {
  const how = isRecorded ? ', recorded' : '';
  if (status === null) return 'No answer: disallows everything';
  if (status >= 500) return `Error ${status}: disallows everything${how}`;
  return status >= 400 ? `None (${status}): allows everything${how}` : `A file${how}`;
}

export interface VersionsProps {
  project: Project;
  timeZone: string;
  onOpen: (versionId: string) => void;
}

/** Versions of robots.txt that the site's hosts served, and when they were last fetched. */
export default function Versions({ project, timeZone, onOpen }: VersionsProps) {
  const answer = useInfiniteQuery(robotsVersionsQuery(project.id));
  const queryClient = useQueryClient();
  const fetching = useMutation({
    mutationFn: () => refreshRobotsVersions(project.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: robotsVersionsQuery(project.id).queryKey }),
  });
  const hosts = answer.data?.pages[0]?.hosts ?? [];
  const versions = answer.data?.pages.flatMap((page) => page.versions) ?? [];
  const mayChange = project.role !== 'viewer';
  const columns: readonly TableColumn<RobotsVersion>[] = [
    {
      key: 'from',
      label: 'In force from',
      isHead: true,
      isTime: true,
      value: (version) => version.served_from,
      cell: ({ id, host, served_from: from }) => (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onOpen(id)}
          aria-label={`Show the version of ${host} from ${fullTime(from, timeZone)}`}
        >
          <time dateTime={from}>{fullTime(from, timeZone)}</time>
        </Button>
      ),
    },
    {
      key: 'until',
      label: 'Until',
      isTime: true,
      value: (version) => version.served_until,
      cell: ({ served_until: until }) =>
        until === null ? 'now' : <time dateTime={until}>{fullTime(until, timeZone)}</time>,
    },
    { key: 'host', label: 'Host', value: (version) => version.host },
    { key: 'status', label: 'What it was', value: whatOf },
    {
      key: 'size',
      label: 'Size',
      isNumber: true,
      value: (version) => version.size,
      cell: ({ size }) => (size === null ? '–' : bytesText(size)),
    },
  ];
  return (
    <Section
      id="versions"
      title="Versions of robots.txt"
      lead="What the site really serves, which can differ from what was written: content delivery networks add blocks of their own. Fetched every hour, and kept with the time from when to when it was in force."
    >
      {answer.isError && <Failure error={answer.error} title="The versions can't be shown" />}
      {answer.data !== undefined && hosts.length === 0 && (
        <EmptyState title="No host name yet">
          Visits are judged by the robots.txt of their host.{' '}
          <TextLink to="/projects/$projectId/settings" params={{ projectId: project.id }}>
            Add the site’s host name
          </TextLink>{' '}
          and its robots.txt is fetched.
        </EmptyState>
      )}
      {/* The demo's hosts can't be fetched. */}
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
      {fetching.isError && <Failure error={fetching.error} title="robots.txt was not fetched" />}
      {(hosts.length > 0 || versions.length > 0) && (
        <DataTable
          label="Versions of robots.txt"
          columns={columns}
          rows={versions}
          rowKey={({ id }) => id}
          initial="from"
          owner={project.name}
          more={answer}
          moreLabel="Load older versions"
          empty={hosts[0] && <NoVersion project={project} host={hosts[0].host} />}
        />
      )}
    </Section>
  );
}

function HostLine({ host: { host, checked_at: checkedAt, fault } }: { host: RobotsHost }) {
  return (
    <Text size="sm">
      {host}:{' '}
      {checkedAt === null ? (
        'not fetched yet'
      ) : (
        <>
          {fault === null ? 'fetched' : 'tried'} <RelativeTime time={checkedAt} />
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
  // Same scheme as for fetches by the instance.
  const scheme = project.site_address?.toLowerCase().startsWith('http:') ? 'http' : 'https';
  return (
    <Stack gap="xs">
      <EmptyState title="No version yet">
        Without one, visits can’t be judged. Fetch it now. If this instance can’t reach the site, record it from where
        you can, {WHERE}:
      </EmptyState>
      <Snippet
        what="The command that records robots.txt"
        text={`curl -fsS ${quoted(`${scheme}://${host}/robots.txt`)} | ${command(`robots record - --project ${quoted(project.name)}`)}`}
      />
    </Stack>
  );
}
