import { Code, Text } from '@mantine/core';
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
            Network names aren’t set up. Set <Code>ASN_FILE</Code> and <Code>GEOIP_FILE</Code> to MMDB files. To get
            them, see “Network names” in <Code>docs/configuration.md</Code>.
          </Text>
        }
      />
    </Section>
  );
}
