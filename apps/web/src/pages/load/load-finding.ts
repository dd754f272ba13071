import type { Finding } from '../../actions/finding.js';
import type { LoadRow } from '../../api/load.js';
import { formatBytes } from '../../format/bytes.js';
import { formatCount } from '../../format/count.js';
import { formatDuration } from '../../format/duration.js';
import { formatAmounts } from '../../load/load-text.js';
import { getRowName } from './rows.js';

/** Finding about the load that an agent caused. */
export function toLoadFinding(row: LoadRow, context: Pick<Finding, 'range' | 'timeZone' | 'visits'>): Finding {
  const name = getRowName('agent', row);
  const { bytes, server_time_ms: time } = row;
  return {
    title: `${name}: ${formatAmounts(row)}`,
    facts: [
      ['Agent', [name, row.operator_name && `by ${row.operator_name}`].filter(Boolean).join(' ')],
      ['Type', row.agent_type_name ?? ''],
      ['Requests', formatCount(row.requests)],
      ['Data sent', bytes === null ? '' : formatBytes(bytes)],
      ['Server time', time === null ? '' : formatDuration(time)],
    ],
    agent: { id: row.value!, token: row.agent_token, type: row.agent_type_name },
    alertKind: 'spike',
    ...context,
  };
}
