import { Code, Loader, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  robotsVersionQuery,
  robotsVersionsQuery,
  type RobotsSignal,
  type RobotsVersionWithText,
} from '../../api/robots-versions.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { DescriptionList } from '../../ui/description-list.js';
import { Failure } from '../../ui/failure.js';
import { formatFullTime } from '../../ui/relative-time.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { ChangedLines } from '../../rules/changed-lines.js';
import robots from '../../rules/rules.module.css';
import { diffRules } from '../../rules/rules-change.js';
import { normalizeGroups } from './normalize-groups.js';
import { describeResponse } from './versions.js';

const SIGNAL_LABELS: Record<RobotsSignal['kind'], string> = {
  'content-signal': 'Content-Signal',
  'content-usage': 'Content-Usage (AIPREF)',
  license: 'License (RSL)',
  sitemap: 'Sitemap',
  'crawl-delay': 'Crawl-delay',
};

export interface VersionDrawerProps {
  projectId: string;
  versionId: string;
  timeZone: string;
  onClose: () => void;
}

export default function VersionDrawer({ projectId, versionId, timeZone, onClose }: VersionDrawerProps) {
  const response = useQuery(robotsVersionQuery(projectId, versionId));
  const list = useInfiniteQuery(robotsVersionsQuery(projectId));
  const version = response.data;
  // The list is sorted newest first, so the first match is the host's previous version. It may not be loaded yet.
  const previousEntry = list.data?.pages
    .flatMap(({ versions }) => versions)
    .find(({ host, served_from: from }) => version?.host === host && from < version.served_from);
  const earlier = useQuery({
    ...robotsVersionQuery(projectId, previousEntry?.id ?? ''),
    enabled: previousEntry !== undefined,
  });
  return (
    <SideDrawer title={version === undefined ? 'robots.txt' : `robots.txt for ${version.host}`} onClose={onClose}>
      {response.isPending && <Loader size="sm" />}
      {response.isError && <Failure error={response.error} title="Couldn't load this version" />}
      {version !== undefined && (
        <Stack>
          <DescriptionList
            facts={[
              ['Active from', formatFullTime(version.served_from, timeZone)],
              ['Until', version.served_until === null ? 'now' : formatFullTime(version.served_until, timeZone)],
              ['Response', describeResponse(version)],
            ]}
          />
          <Signals signals={version.signals} />
          {earlier.data !== undefined && <Changes earlier={earlier.data} version={version} timeZone={timeZone} />}
          {version.text !== null && (
            <>
              <Title order={2} size="h4">
                Text
              </Title>
              <Code block className={robots['file'] ?? ''} tabIndex={0} role="region" aria-label="Text">
                {version.text}
              </Code>
            </>
          )}
        </Stack>
      )}
    </SideDrawer>
  );
}

const SIGNAL_COLUMNS: readonly TableColumn<RobotsSignal>[] = [
  { key: 'signal', label: 'Signal', isHead: true, cell: ({ kind }) => SIGNAL_LABELS[kind] },
  { key: 'content', label: 'Value', cell: describeSignal },
  {
    key: 'for',
    label: 'Applies to',
    cell: ({ user_agents: agents }) => (agents.length === 0 ? 'everyone' : agents.join(', ')),
  },
  { key: 'line', label: 'Line', isNumber: true, cell: ({ line }) => line },
];

function Signals({ signals }: { signals: readonly RobotsSignal[] }) {
  return (
    <>
      <Title order={2} size="h4">
        Signals
      </Title>
      {signals.length === 0 && <Text size="sm">No usage signals, license, sitemap or crawl delay.</Text>}
      {signals.length > 0 && (
        <DataTable label="Signals" columns={SIGNAL_COLUMNS} rows={signals} rowKey={({ line }) => line} />
      )}
    </>
  );
}

/** Returns the signal's parsed value, or its raw text if it couldn't be parsed. */
function describeSignal({ text, path, preferences, url, seconds }: RobotsSignal): string {
  if (preferences.length > 0) {
    const formattedPreferences = preferences.map(({ name, value }) => `${name}: ${value ?? 'unclear'}`).join(', ');
    return path === null ? formattedPreferences : `${formattedPreferences}, for ${path}`;
  }
  if (seconds !== null) return `${seconds} s between requests`;
  return url ?? text;
}

interface ChangesProps {
  earlier: RobotsVersionWithText;
  version: RobotsVersionWithText;
  timeZone: string;
}

function Changes({ earlier, version, timeZone }: ChangesProps) {
  const change = useMemo(
    () => diffRules(normalizeGroups(earlier.text), normalizeGroups(version.text), 'blocks'),
    [earlier.text, version.text],
  );
  const isSame = change.added.length + change.removed.length + change.changed.length === 0;
  return (
    <>
      <Title order={2} size="h4">
        Changes
      </Title>
      <Text size="sm">
        {isSame ? 'Only comments differ from' : 'Compared with'} the version from{' '}
        {formatFullTime(earlier.served_from, timeZone)}
        {describeResponse(earlier) === describeResponse(version) ? '.' : ` (${describeResponse(earlier)}).`}
      </Text>
      <ChangedLines change={change} />
    </>
  );
}
