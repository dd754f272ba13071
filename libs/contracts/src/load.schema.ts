import { Type, type Static } from 'typebox';
import { AGENT_TYPES } from './agent-type.js';
import { bucketTime, countedRange } from './statistics.schema.js';

/** Properties that the load can be broken down by. */
export const LOAD_GROUPINGS = ['agent', 'operator', 'type', 'folder', 'page', 'pattern'] as const;
export type LoadGrouping = (typeof LOAD_GROUPINGS)[number];

/** Maximum number of rows in a load report. */
export const MAX_LOAD_ROWS = 200;
/** Number of operators with the most requests, bytes or server time that a load series lists. */
export const LOAD_SERIES_OPERATORS = 10;
/** Length of the time slots that peaks are counted in, in seconds. Slots start at multiples of it since the epoch. */
export const PEAK_SECONDS = 10;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Nullable = (type: 'string' | 'number' | 'integer', description: string) => ({
  type: [type, 'null'] as const,
  description,
});
const Text = (description: string) => Type.Unsafe<string | null>(Nullable('string', description));
const Sum = (type: 'number' | 'integer', description: string) =>
  Type.Unsafe<number | null>({ ...Nullable(type, description), minimum: 0 });

const load = {
  requests: Count('Number of requests'),
  bytes: Sum('integer', 'Sum of the response sizes in bytes. Null if no size was reported.'),
  bytes_requests: Count('Number of requests with a reported response size'),
  body_requests: Count('Number of requests whose size includes only the body'),
  sent_requests: Count('Number of requests whose size also includes the headers'),
  server_time_ms: Sum('number', 'Sum of the response times in milliseconds. Null if no time was reported.'),
  p95_ms: Sum(
    'number',
    '95th percentile of the response times in milliseconds, interpolated. Null if no time was reported, or if only a sample was read.',
  ),
  timed_requests: Count('Number of requests with a reported response time'),
  peak: Type.Union(
    [
      Type.Object({
        requests: Count(`Number of requests in ${PEAK_SECONDS} seconds`),
        time: Type.String({ format: 'date-time', description: `Start of the ${PEAK_SECONDS} seconds` }),
      }),
      Type.Null(),
    ],
    {
      description: `The ${PEAK_SECONDS} seconds with the most requests. They start at a multiple of ${PEAK_SECONDS} seconds. If there are several, the first. Null if there are no requests, or if only a sample was read.`,
    },
  ),
  not_modified: Count('Number of responses with status 304'),
  status_requests: Count('Number of requests with a reported status'),
  repeats: Sum(
    'integer',
    'Number of requests for a path, including its query, that the same agent had already requested on the same UTC day. Excludes unknown visitors. Null for the row of unknown visitors, or if only a sample was read.',
  ),
  cache_hits: Count('Number of responses from a cache'),
  cache_requests: Count('Number of requests with a reported cache result'),
};

export const LoadSchema = Type.Object(load, {
  $id: 'Load',
  description:
    'Requests, and the bytes and server time that they cost. If only a sample was read, the numbers are estimates.',
});

export const LoadReportSchema = Type.Object(
  {
    ...countedRange,
    sample: Type.Union(
      [
        Type.Object({
          visits_read: Count('Number of stored visits that were read'),
          visits: Count(
            'Number of visits in the time range that match the agent, type, operator and result filters, based on the exact counts',
          ),
        }),
        Type.Null(),
      ],
      { description: 'Sample that the numbers are estimated from. Null if all matching stored visits were read.' },
    ),
    not_stored: Sum(
      'integer',
      'Number of matching visits that are not included because they are not stored: their retention period has ended, or they were only counted. Null if unknown, because other filters than agent, type, operator and result are set.',
    ),
    total: LoadSchema,
    rows: Type.Array(
      Type.Object({
        value: Text(
          'Agent ID, operator, agent type, folder (such as `/docs/*`, or `/` for pages outside of folders), page or path pattern, depending on `by`. Null for unknown visitors, or if no path pattern matches. Empty for agents without an operator or type.',
        ),
        agent_token: Text('Agent token. Null unless `by` is `agent`, or if the agent is no longer in the catalog.'),
        agent_type_name: Text(`Agent type, such as ${AGENT_TYPES[13]}. Null unless \`by\` is \`agent\`.`),
        operator_name: Text('Company that operates the agent. Null unless `by` is `agent`.'),
        ...load,
      }),
      {
        maxItems: MAX_LOAD_ROWS,
        description:
          'Rows with the most bytes or the most server time. Rows with the most bytes are listed first, then those with the most requests.',
      },
    ),
  },
  { $id: 'LoadReport', description: 'Load that visits caused, from stored visits' },
);

const seriesLoad = { requests: load.requests, bytes: load.bytes, server_time_ms: load.server_time_ms };

export const LoadSeriesSchema = Type.Object(
  {
    ...countedRange,
    is_estimated: Type.Boolean({ description: 'Whether the numbers are estimated from a sample' }),
    series: Type.Array(
      Type.Object({
        time: bucketTime,
        ...seriesLoad,
        operators: Type.Array(Type.Object({ operator_name: Type.String(), ...seriesLoad }), {
          description: `Part of the load caused by the agents of each operator. Lists only the ${LOAD_SERIES_OPERATORS} operators with the most requests, bytes or server time in the entire range.`,
        }),
      }),
      { description: 'Load over time' },
    ),
  },
  { $id: 'LoadSeries', description: 'Load over time that visits caused, from stored visits' },
);

export type Load = Static<typeof LoadSchema>;
export type LoadReport = Static<typeof LoadReportSchema>;
export type LoadSeries = Static<typeof LoadSeriesSchema>;
