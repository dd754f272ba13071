import { Code, Text } from '@mantine/core';
import type { System } from '../../api/system-queries.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { Scroller } from '../../ui/scroller.js';

/** The files that networks are named by, or how to have some. */
export function NetworkFiles({ files }: { files: System['network_files'] }) {
  return (
    <Section
      title="Network names"
      id="network-names"
      lead="Country, AS number and operator of client addresses, from files that you supply."
    >
      {files.length === 0 ? (
        <Text size="sm">
          Networks have no names: set <Code>ASN_FILE</Code> and <Code>GEOIP_FILE</Code> to MMDB files. “Network names”
          in <Code>docs/configuration.md</Code> says where to get them.
        </Text>
      ) : (
        <Scroller label="Files of network names">
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">File</th>
              <th scope="col">Database</th>
              <th scope="col">Built</th>
              <th scope="col">Fault</th>
            </tr>
          </thead>
          <tbody>
            {files.map(({ setting, path, database_type: type, built_at: builtAt, fault }) => (
              <tr key={setting}>
                <td>{setting}</td>
                <td data-label="File" style={{ overflowWrap: 'anywhere', minWidth: '12rem' }}>
                  {path}
                </td>
                <td data-label="Database">{type ?? 'none'}</td>
                <td data-label="Built">{builtAt === null ? 'never' : <RelativeTime time={builtAt} />}</td>
                <td data-label="Fault" style={{ minWidth: fault === null ? undefined : '16rem' }}>
                  {fault ?? 'none'}
                </td>
              </tr>
            ))}
          </tbody>
        </Scroller>
      )}
    </Section>
  );
}
