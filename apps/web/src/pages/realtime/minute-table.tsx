import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { hourAndMinute, type MinutesProps } from './minutes.js';

export default function MinuteTable({ minutes, timeZone }: MinutesProps) {
  const columns: readonly TableColumn<MinutesProps['minutes'][number]>[] = [
    { key: 'minute', label: 'Minute', isHead: true, cell: ({ time }) => hourAndMinute(time, timeZone) },
    { key: 'visits', label: 'Visits', isNumber: true, cell: ({ visits }) => formatCount(visits) },
    { key: 'agents', label: 'By agents', isNumber: true, cell: ({ agents }) => formatCount(agents) },
    { key: 'verified', label: 'Verified', isNumber: true, cell: ({ verified }) => formatCount(verified) },
    {
      key: 'spoofed',
      label: 'Failed verification',
      isNumber: true,
      cell: ({ verification_failed: failed }) => formatCount(failed),
    },
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
