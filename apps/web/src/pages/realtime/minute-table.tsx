import { IDENTIFICATION_RESULTS, RESULTS } from '#libs/agents/vocabulary';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { countResults, hourAndMinute, type MinutesProps } from './minutes.js';

export default function MinuteTable({ minutes, timeZone }: MinutesProps) {
  const columns: readonly TableColumn<MinutesProps['minutes'][number]>[] = [
    { key: 'minute', label: 'Minute', isHead: true, cell: ({ time }) => hourAndMinute(time, timeZone) },
    { key: 'visits', label: 'Visits', isNumber: true, cell: ({ visits }) => formatCount(visits) },
    ...IDENTIFICATION_RESULTS.map((result) => ({
      key: result,
      label: RESULTS[result].label,
      isNumber: true as const,
      cell: (minute: MinutesProps['minutes'][number]) => formatCount(countResults(minute)[result]),
    })),
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
