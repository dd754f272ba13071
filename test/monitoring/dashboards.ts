/** Defines the Grafana dashboards. deploy/grafana contains the generated files. */

interface Panel {
  title: string;
  /** Description for readers who don't know the metric. */
  about?: string;
  /** Unit in Grafana's notation. */
  unit: 'short' | 's' | 'bytes' | 'reqps' | 'ops' | 'percentunit' | 'dateTimeFromNow';
  /** Queries by legend. */
  queries: Readonly<Record<string, string>>;
  isStacked?: boolean;
}

interface Dashboard {
  name: string;
  title: string;
  panels: readonly Panel[];
}

const rate = (selector: string, by = ''): string => `sum${by && ` by (${by})`} (rate(${selector}[$__rate_interval]))`;
const quantile = (fraction: number, histogram: string, by = ''): string =>
  `histogram_quantile(${fraction}, sum by (le${by && `, ${by}`}) (rate(${histogram}_bucket[$__rate_interval])))`;
const VISIT_ROUTES = 'route=~"/visits|/drains/.*"';

export const DASHBOARDS: readonly Dashboard[] = [
  {
    name: 'traffic',
    title: 'Agent Traffic: traffic',
    panels: [
      {
        title: 'Visits',
        unit: 'ops',
        queries: { '{{outcome}}': rate('agent_traffic_gateway_visits_total', 'outcome') },
      },
      {
        title: 'Drain lines',
        unit: 'ops',
        isStacked: true,
        queries: { '{{source}} {{outcome}}': rate('agent_traffic_gateway_drain_lines_total', 'source, outcome') },
      },
      {
        title: 'Visit reports by status',
        unit: 'reqps',
        isStacked: true,
        queries: { '{{status}}': rate(`agent_traffic_http_request_seconds_count{${VISIT_ROUTES}}`, 'status') },
      },
      {
        title: 'Problems',
        about: 'Reasons for rejected and failed requests. See /docs/problems.',
        unit: 'reqps',
        isStacked: true,
        queries: { '{{problem}} {{route}}': rate('agent_traffic_http_problems_total', 'problem, route') },
      },
      {
        title: 'Response time of visit reports',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'agent_traffic_http_request_seconds').replace('_bucket[', `_bucket{${VISIT_ROUTES}}[`),
          p99: quantile(0.99, 'agent_traffic_http_request_seconds').replace('_bucket[', `_bucket{${VISIT_ROUTES}}[`),
        },
      },
      {
        title: 'Visits per request',
        unit: 'short',
        queries: {
          mean: `${rate('agent_traffic_gateway_request_visits_sum')} / ${rate('agent_traffic_gateway_request_visits_count')}`,
        },
      },
      {
        title: 'Slowest routes (p95)',
        unit: 's',
        queries: { '{{route}}': `topk(10, ${quantile(0.95, 'agent_traffic_http_request_seconds', 'route')})` },
      },
      {
        title: 'Latency from receipt to live streams',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'agent_traffic_console_receipt_to_stream_seconds'),
          p99: quantile(0.99, 'agent_traffic_console_receipt_to_stream_seconds'),
        },
      },
      {
        title: 'Live streams',
        unit: 'short',
        queries: { open: 'sum(agent_traffic_console_streams)' },
      },
      {
        title: 'Visits in live streams',
        about: 'Streams omit skipped and filtered visits by design. The timeline includes them.',
        unit: 'ops',
        queries: { '{{outcome}}': rate('agent_traffic_console_stream_visits_total', 'outcome') },
      },
    ],
  },
  {
    name: 'pipeline',
    title: 'Agent Traffic: pipeline',
    panels: [
      {
        title: 'Latency from receipt to storage',
        about: 'Measured for the oldest visit in each batch.',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'agent_traffic_ingest_receipt_to_stored_seconds'),
          p99: quantile(0.99, 'agent_traffic_ingest_receipt_to_stored_seconds'),
        },
      },
      {
        title: 'Consumer lag',
        unit: 'short',
        queries: { '{{group}} {{topic}}': 'max by (group, topic) (agent_traffic_console_consumer_lag_messages)' },
      },
      {
        title: 'Messages by outcome',
        unit: 'ops',
        queries: {
          '{{group}} {{topic}} {{outcome}}': rate('agent_traffic_bus_outcomes_total', 'group, topic, outcome'),
        },
      },
      {
        title: 'Published messages',
        unit: 'ops',
        queries: {
          '{{topic}}': rate('agent_traffic_bus_published_total', 'topic'),
          '{{topic}} failed: {{reason}}': rate('agent_traffic_bus_publish_failures_total', 'topic, reason'),
        },
      },
      {
        title: 'Enrichment time by step',
        about: 'Seconds spent in each step per second, across all processes.',
        unit: 's',
        isStacked: true,
        queries: { '{{step}}': rate('agent_traffic_pipeline_step_seconds_sum{pipeline="enrichment"}', 'step') },
      },
      {
        title: 'Ingest time by step',
        unit: 's',
        isStacked: true,
        queries: { '{{step}}': rate('agent_traffic_pipeline_step_seconds_sum{pipeline="ingest"}', 'step') },
      },
      {
        title: 'Batch duration (p95)',
        unit: 's',
        queries: { '{{group}} {{topic}}': quantile(0.95, 'agent_traffic_bus_batch_seconds', 'group, topic') },
      },
      {
        title: 'Messages per batch (p50)',
        unit: 'short',
        queries: { '{{group}} {{topic}}': quantile(0.5, 'agent_traffic_bus_batch_messages', 'group, topic') },
      },
      {
        title: 'Outbox',
        unit: 'short',
        queries: {
          messages: 'max(agent_traffic_outbox_messages)',
          'stored per second': rate('agent_traffic_outbox_stored_total'),
          'forwarded per second': rate('agent_traffic_outbox_forwarded_total'),
          'rejected per second': rate('agent_traffic_outbox_refused_total'),
        },
      },
      {
        title: 'Readiness faults',
        unit: 'short',
        isStacked: true,
        queries: { '{{job}}: {{check}}': 'sum by (job, check) (agent_traffic_health_fault) > 0' },
      },
      {
        title: 'Rollup lag',
        unit: 's',
        queries: { oldest: 'max(agent_traffic_ingest_rollup_lag_seconds)' },
      },
      {
        title: 'Time until partitions run out',
        unit: 's',
        queries: { 'time left': 'max(agent_traffic_ingest_partitions_until_timestamp_seconds) - time()' },
      },
    ],
  },
  {
    name: 'identity',
    title: 'Agent Traffic: identity',
    panels: [
      {
        title: 'Identification results',
        unit: 'ops',
        isStacked: true,
        queries: { '{{result}}': rate('agent_traffic_enrichment_results_total', 'result') },
      },
      {
        title: 'Identification results by method',
        unit: 'ops',
        queries: {
          '{{method}} {{result}}': rate('agent_traffic_enrichment_results_total{method!="none"}', 'method, result'),
        },
      },
      {
        title: 'Identification and verification requests',
        unit: 'ops',
        queries: { '{{result}}': rate('agent_traffic_identifications_total', 'result') },
      },
      {
        title: 'robots.txt compliance',
        unit: 'ops',
        queries: { '{{verdict}}': rate('agent_traffic_enrichment_robots_total', 'verdict') },
      },
      {
        title: 'DNS lookups',
        about: 'The memory and shared outcomes are cache hits.',
        unit: 'ops',
        isStacked: true,
        queries: { '{{outcome}}': rate('agent_traffic_dns_lookups_total', 'outcome') },
      },
      {
        title: 'DNS servers',
        unit: 'short',
        queries: {
          'queries in flight': 'sum(agent_traffic_dns_lookups_in_flight)',
          'processes without DNS responses': 'sum(agent_traffic_dns_servers_silent)',
        },
      },
      {
        title: 'Key lookups',
        unit: 'ops',
        queries: { '{{outcome}}': rate('agent_traffic_key_directory_lookups_total', 'outcome') },
      },
      {
        title: 'Key directory fetches',
        unit: 'ops',
        queries: { '{{outcome}}': rate('agent_traffic_key_directory_fetches_total', 'outcome') },
      },
      {
        title: 'Address list fetches',
        unit: 'ops',
        queries: { '{{outcome}}': rate('agent_traffic_address_list_fetches_total', 'outcome') },
      },
      {
        title: 'Age of the oldest address list and key directory',
        unit: 's',
        queries: {
          'address list': 'time() - min(agent_traffic_address_list_oldest_fetch_timestamp_seconds > 0)',
          'key directory': 'time() - min(agent_traffic_key_directory_oldest_fetch_timestamp_seconds > 0)',
        },
      },
      {
        title: 'Catalog revision',
        unit: 'short',
        queries: { '{{job}} {{instance}}': 'agent_traffic_catalog_revision' },
      },
      {
        title: 'Rules and proxy decisions',
        unit: 'ops',
        queries: {
          '{{kind}} {{outcome}}': rate('agent_traffic_rules_total', 'kind, outcome'),
          'proxies: {{decision}}': rate('agent_traffic_gateway_forward_decisions_total', 'decision'),
        },
      },
    ],
  },
  {
    name: 'capacity',
    title: 'Agent Traffic: capacity',
    panels: [
      {
        title: 'CPU cores',
        about: 'A process mostly uses a single core. Add another process before any of them reaches 1.',
        unit: 'short',
        queries: { '{{job}} {{instance}}': rate('process_cpu_seconds_total', 'job, instance') },
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: { '{{job}} {{instance}}': 'sum by (job, instance) (process_resident_memory_bytes)' },
      },
      {
        title: 'Event loop delay (p99)',
        unit: 's',
        queries: { '{{job}} {{instance}}': 'max by (job, instance) (nodejs_eventloop_lag_p99_seconds)' },
      },
      {
        title: 'Admitted bytes and limit',
        unit: 'bytes',
        queries: {
          'admitted {{instance}}': 'sum by (instance) (agent_traffic_gateway_admitted_bytes)',
          'limit {{instance}}': 'sum by (instance) (agent_traffic_gateway_admitted_bytes_limit)',
        },
      },
      {
        title: 'Requests rejected due to overload',
        unit: 'reqps',
        queries: { '{{stage}}': rate('agent_traffic_gateway_overload_refusals_total', 'stage') },
      },
      {
        title: 'Size of messages in memory',
        unit: 'bytes',
        queries: { '{{job}} {{group}} {{topic}}': 'sum by (job, group, topic) (agent_traffic_bus_waiting_bytes)' },
      },
      {
        title: 'Outbox size',
        unit: 'bytes',
        queries: { outbox: 'max(agent_traffic_outbox_bytes)' },
      },
      {
        title: 'Calls between services (p95)',
        unit: 's',
        queries: {
          '{{service}} {{outcome}}': quantile(0.95, 'agent_traffic_internal_request_seconds', 'service, outcome'),
        },
      },
      {
        title: 'Rejected reads, live streams and exports',
        unit: 'reqps',
        queries: { '{{limit}}': rate('agent_traffic_console_reading_refusals_total', 'limit') },
      },
      {
        title: 'Open files',
        unit: 'short',
        queries: { '{{job}} {{instance}}': 'sum by (job, instance) (process_open_fds)' },
      },
      {
        title: 'Redis',
        unit: 'short',
        queries: {
          'connected {{job}}': 'min by (job) (agent_traffic_redis_connected)',
          'failures per second {{job}}': rate('agent_traffic_redis_failures_total', 'job'),
        },
      },
      {
        title: 'Versions',
        unit: 'short',
        queries: { '{{job}} {{version}}': 'count by (job, version) (agent_traffic_build_info)' },
      },
    ],
  },
  {
    name: 'visit-store',
    title: 'Agent Traffic: visit store',
    panels: [
      {
        title: 'Duration of inserts',
        about: 'Inserts of visits into ClickHouse.',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'agent_traffic_visit_store_insert_seconds'),
          p99: quantile(0.99, 'agent_traffic_visit_store_insert_seconds'),
        },
      },
      {
        title: 'Inserts',
        unit: 'ops',
        queries: { '{{outcome}}': rate('agent_traffic_visit_store_insert_seconds_count', 'outcome') },
      },
      {
        title: 'Duration of queries',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'agent_traffic_visit_store_query_seconds'),
          p99: quantile(0.99, 'agent_traffic_visit_store_query_seconds'),
        },
      },
      {
        title: 'Queries',
        unit: 'ops',
        queries: { '{{job}} {{outcome}}': rate('agent_traffic_visit_store_query_seconds_count', 'job, outcome') },
      },
      {
        title: 'Pending batches',
        about: "Accepted visits that aren't in ClickHouse yet.",
        unit: 'short',
        queries: { batches: 'max(agent_traffic_visit_store_pending_batches)' },
      },
      {
        title: 'Age of the oldest pending batch',
        unit: 's',
        queries: { age: 'max(agent_traffic_visit_store_pending_seconds)' },
      },
    ],
  },
];

const [WIDTH, HEIGHT] = [12, 8];

const SELECTORS = /\b(agent_traffic_\w+|nodejs_\w+|process_\w+|up)\b(?:\{([^}]*)\})?/g;

/** Limits a query to the selected Kubernetes namespace. The value `.*` also matches series without a namespace. */
export const limitToNamespace = (expr: string): string =>
  expr.replace(SELECTORS, (_, metric: string, matchers?: string) => {
    return `${metric}{${[...(matchers ? [matchers] : []), 'namespace=~"$namespace"'].join(',')}}`;
  });

export function toGrafanaJson({ name, title, panels }: Dashboard): string {
  const datasource = { type: 'prometheus', uid: 'prometheus' };
  const dashboard = {
    uid: `agent-traffic-${name}`,
    title,
    tags: ['agent-traffic'],
    schemaVersion: 41,
    editable: false,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    links: [{ type: 'dashboards', title: 'Agent Traffic', tags: ['agent-traffic'], asDropdown: true, keepTime: true }],
    templating: {
      list: [
        {
          name: 'namespace',
          label: 'Namespace',
          type: 'query',
          datasource,
          definition: 'label_values(agent_traffic_build_info, namespace)',
          query: 'label_values(agent_traffic_build_info, namespace)',
          refresh: 2,
          multi: true,
          includeAll: true,
          allValue: '.*',
          current: { text: ['All'], value: ['$__all'] },
        },
      ],
    },
    panels: panels.map(({ title: heading, about, unit, queries, isStacked = false }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: heading,
      ...(about !== undefined && { description: about }),
      datasource,
      gridPos: { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
      fieldConfig: {
        defaults: {
          unit,
          min: 0,
          custom: {
            fillOpacity: isStacked ? 30 : 0,
            showPoints: 'never',
            stacking: { mode: isStacked ? 'normal' : 'none' },
          },
        },
        overrides: [],
      },
      options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
      targets: Object.entries(queries).map(([legend, expr], number) => ({
        refId: String.fromCharCode('A'.charCodeAt(0) + number),
        datasource,
        expr: limitToNamespace(expr),
        legendFormat: legend,
      })),
    })),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}
