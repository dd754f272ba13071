import { Table } from '@mantine/core';
import { countText } from '../../format/count.js';
import { hourAndMinute, type MinutesProps } from './minutes.js';

/** The histogram in numbers. */
export default function MinuteTable({ minutes, timeZone }: MinutesProps) {
  return (
    <Table.ScrollContainer minWidth={280} mah={220}>
      <Table withRowBorders={false} verticalSpacing={2} fz="xs" className="numbers" style={{ whiteSpace: 'nowrap' }}>
        <Table.Thead>
          <Table.Tr>
            {['Minute', 'Visits', 'Of agents', 'Verified', 'Spoofed'].map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {minutes.toReversed().map(({ time, visits, agents, verified, verification_failed: failed }) => (
            <Table.Tr key={time}>
              <Table.Td>{hourAndMinute(time, timeZone)}</Table.Td>
              <Table.Td>{countText(visits)}</Table.Td>
              <Table.Td>{countText(agents)}</Table.Td>
              <Table.Td>{countText(verified)}</Table.Td>
              <Table.Td>{countText(failed)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
