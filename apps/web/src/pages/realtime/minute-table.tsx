import { countText } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { hourAndMinute, type MinutesProps } from './minutes.js';

/** Table view of the histogram. */
export default function MinuteTable({ minutes, timeZone }: MinutesProps) {
  const columns: readonly TableColumn<MinutesProps['minutes'][number]>[] = [
    { key: 'minute', label: 'Minute', isHead: true, cell: ({ time }) => hourAndMinute(time, timeZone) },
    { key: 'visits', label: 'Visits', isNumber: true, cell: ({ visits }) => countText(visits) },
    { key: 'agents', label: 'Of agents', isNumber: true, cell: ({ agents }) => countText(agents) },
    { key: 'verified', label: 'Verified', isNumber: true, cell: ({ verified }) => countText(verified) },
    { key: 'spoofed', label: 'Spoofed', isNumber: true, cell: ({ verification_failed: failed }) => countText(failed) },
  ];
  return (
    <DataTable
      label="Visits by minute"
      columns={columns}
      rows={minutes.toReversed()}
      rowKey={({ time }) => time}
      phone="scroll"
      maxHeight={220}
    />
  );
}
