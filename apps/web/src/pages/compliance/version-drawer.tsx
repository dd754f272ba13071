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
import { fullTime } from '../../ui/relative-time.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { ChangedLines } from '../../rules/changed-lines.js';
import robots from '../../rules/rules.module.css';
import { rulesChange } from '../../rules/rules-change.js';
import { groupsText } from './groups-text.js';
import { whatOf } from './versions.js';

const KINDS: Record<RobotsSignal['kind'], string> = {
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
  const answer = useQuery(robotsVersionQuery(projectId, versionId));
  const list = useInfiniteQuery(robotsVersionsQuery(projectId));
  const version = answer.data;
  // Previous version of the same host, if it is loaded. Versions are listed newest first.
  const before = list.data?.pages
    .flatMap(({ versions }) => versions)
    .find(({ host, served_from: from }) => version?.host === host && from < version.served_from);
  const earlier = useQuery({ ...robotsVersionQuery(projectId, before?.id ?? ''), enabled: before !== undefined });
  return (
    <SideDrawer title={version === undefined ? 'robots.txt' : `robots.txt of ${version.host}`} onClose={onClose}>
      {answer.isPending && <Loader size="sm" />}
      {answer.isError && <Failure error={answer.error} title="This version can't be shown" />}
      {version !== undefined && (
        <Stack>
          <DescriptionList
            facts={[
              ['In force from', fullTime(version.served_from, timeZone)],
              ['Until', version.served_until === null ? 'now' : fullTime(version.served_until, timeZone)],
              ['What it was', whatOf(version)],
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

const SIGNALS: readonly TableColumn<RobotsSignal>[] = [
  { key: 'signal', label: 'Signal', isHead: true, cell: ({ kind }) => KINDS[kind] },
  { key: 'content', label: 'What it says', cell: saidBy },
  {
    key: 'for',
    label: 'For',
    cell: ({ user_agents: agents }) => (agents.length === 0 ? 'everybody' : agents.join(', ')),
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
      {signals.length > 0 && <DataTable label="Signals" columns={SIGNALS} rows={signals} rowKey={({ line }) => line} />}
    </>
  );
}

/** Describes a signal. Returns its text if it couldn't be parsed. */
function saidBy({ text, path, preferences, url, seconds }: RobotsSignal): string {
  if (preferences.length > 0) {
    const said = preferences.map(({ name, value }) => `${name}: ${value ?? 'not clear'}`).join(', ');
    return path === null ? said : `${said}, for ${path}`;
  }
  if (seconds !== null) return `${seconds} s between two fetches`;
  return url ?? text;
}

interface ChangesProps {
  earlier: RobotsVersionWithText;
  version: RobotsVersionWithText;
  timeZone: string;
}

function Changes({ earlier, version, timeZone }: ChangesProps) {
  const change = useMemo(
    () => rulesChange(groupsText(earlier.text), groupsText(version.text), 'blocks'),
    [earlier.text, version.text],
  );
  const isSame = change.added.length + change.removed.length + change.changed.length === 0;
  return (
    <>
      <Title order={2} size="h4">
        Changes
      </Title>
      <Text size="sm">
        {isSame ? 'Nothing but comments differs from' : 'Compared with'} the version from{' '}
        {fullTime(earlier.served_from, timeZone)}
        {whatOf(earlier) === whatOf(version) ? '.' : `, which was: ${whatOf(earlier)}.`}
      </Text>
      <ChangedLines change={change} />
    </>
  );
}
