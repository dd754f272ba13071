import { Anchor, Code, Text } from '@mantine/core';
import type { System } from '../../api/system-queries.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';

const COLUMNS: readonly TableColumn<System['network_files'][number]>[] = [
  { key: 'setting', label: 'Setting', isHead: true, cell: ({ setting }) => setting },
  { key: 'file', label: 'File', cell: ({ path }) => path, style: { overflowWrap: 'anywhere', minWidth: '12rem' } },
  { key: 'database', label: 'Database', cell: ({ database_type: type }) => type ?? 'none' },
  { key: 'built', label: 'Built', cell: ({ built_at: at }) => (at === null ? 'never' : <RelativeTime time={at} />) },
  { key: 'fault', label: 'Error', cell: ({ fault }) => fault ?? 'none', style: { maxWidth: '16rem' } },
];

/** Lists the files that network names are read from. Shows setup instructions if none are configured. */
export function NetworkFiles({ files }: { files: System['network_files'] }) {
  return (
    <Section
      title="Network names"
      lead="Country, AS number and operator of each client address, looked up in files you provide."
    >
      <DataTable
        label="Network name files"
        columns={COLUMNS}
        rows={files}
        rowKey={({ setting }) => setting}
        empty={
          <Text size="sm">
            Network names aren’t set up. Download MMDB files from{' '}
            <Anchor href="https://db-ip.com/db/lite.php" target="_blank" rel="noreferrer" inherit>
              DB-IP
            </Anchor>
            ,{' '}
            <Anchor
              href="https://dev.maxmind.com/geoip/geolite2-free-geolocation-data"
              target="_blank"
              rel="noreferrer"
              inherit
            >
              MaxMind
            </Anchor>
            , or{' '}
            <Anchor href="https://ipinfo.io/lite" target="_blank" rel="noreferrer" inherit>
              IPinfo
            </Anchor>
            . Set <Code>ASN_FILE</Code> to one with network operators, and <Code>GEOIP_FILE</Code> to one with
            countries.
          </Text>
        }
      />
    </Section>
  );
}
