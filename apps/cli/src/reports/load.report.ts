import { LOAD_GROUPINGS, type LoadReport } from '#libs/contracts';
import { formatDuration } from '#libs/contracts/duration';
import { count, plural } from '../terminal-text.js';
import { buildRows, type Report } from './report.js';

type Row = LoadReport['rows'][number];

const NOT_REPORTED = 'not reported';

/** Formats a number of tenths. Small values aren't rounded to zero. */
const formatTenths = (tenths: number): string =>
  tenths > 0 && tenths < 0.5 ? 'under 0.1' : count(Math.round(tenths) / 10);
const formatMegabytes = (bytes: number): string => formatTenths(bytes / 1e5);
const ifReported = (value: number | null, format: (value: number) => string): string =>
  value === null ? NOT_REPORTED : format(value);

/** @param by Property that the report is broken down by. */
function getName({ value, agent_token: token }: Row, by: string): string {
  if (token !== null) return token;
  if (value === null) return by === 'pattern' ? 'No pattern' : 'Unknown visitors';
  return value === '' ? `No ${by}` : value;
}

export const loadReport: Report<'/api/projects/{id}/load'> = {
  name: 'load',
  description: 'bytes, server time and request peaks that agents cause',
  path: '/api/projects/{id}/load',
  help: `
Contains stored visits. MB are millions of bytes, and 95% of responses finished within
P95. PEAK is the most requests in 10 seconds. REPEATS counts requests for a path that
the agent had already requested on the same UTC day. Patterns are the project's path
patterns (Settings → General). Values that the source of the visits doesn't contain are
"not reported". --csv and --json contain times in milliseconds, and the number of
requests with a value, 304s and cache results.`,
  groupings: LOAD_GROUPINGS,
  read: ({ rows, total, sample, not_stored: notStored }: LoadReport, by = 'agent') => ({
    ...buildRows<Row>(rows, [
      { heading: `${by.charAt(0).toUpperCase()}${by.slice(1)}`, value: (row) => getName(row, by) },
      { heading: 'Requests', value: (row) => row.requests },
      { heading: 'Bytes', value: (row) => row.bytes, isOnlyInCsv: true },
      {
        heading: 'MB',
        value: (row) => row.bytes && row.bytes / 1e6,
        text: (row) => ifReported(row.bytes, formatMegabytes),
      },
      { heading: 'Requests with bytes', value: (row) => row.bytes_requests, isOnlyInCsv: true },
      {
        heading: 'Server time',
        value: (row) => row.server_time_ms,
        text: (row) => ifReported(row.server_time_ms, formatDuration),
      },
      { heading: 'P95', value: (row) => row.p95_ms, text: (row) => ifReported(row.p95_ms, formatDuration) },
      { heading: 'Requests with time', value: (row) => row.timed_requests, isOnlyInCsv: true },
      { heading: 'Peak', value: (row) => row.peak?.requests },
      { heading: 'Peak at', value: (row) => row.peak?.time, isOnlyInCsv: true },
      { heading: 'Repeats', value: (row) => row.repeats },
      { heading: 'Not modified', value: (row) => row.not_modified, isOnlyInCsv: true },
      { heading: 'Requests with status', value: (row) => row.status_requests, isOnlyInCsv: true },
      { heading: 'Cache hits', value: (row) => row.cache_hits, isOnlyInCsv: true },
      { heading: 'Requests with cache result', value: (row) => row.cache_requests, isOnlyInCsv: true },
    ]),
    summary: [
      `${sample === null ? '' : 'About '}${plural(total.requests, 'request')}, `,
      total.bytes === null ? 'sizes not reported, ' : `${formatMegabytes(total.bytes)} MB, `,
      total.server_time_ms === null ? 'times not reported.' : `${formatDuration(total.server_time_ms)} of server time.`,
      sample === null ? '' : ` Estimated from ${plural(sample.visits_read, 'visit')}.`,
      notStored ? ` Visits that aren't stored: ${count(notStored)}.` : '',
    ].join(''),
    empty: 'No stored visits in this range.',
  }),
};
