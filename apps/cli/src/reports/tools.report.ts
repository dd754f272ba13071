import { CHECKOUT_PROTOCOLS, type ToolsReport } from '#libs/contracts';
import { formatPercent } from '#libs/contracts/change';
import { count, joinLimited, plural } from '../terminal-text.js';
import { buildRows, type Report } from './report.js';

/** Known or unknown tool. For unknown tools, only the number of calls is available, because every call was rejected. */
interface Row {
  tool: string;
  calls: number;
  errors: number;
  isUnknown: boolean;
  known: ToolsReport['tools'][number] | null;
}

/**
 * Maximum duration that isn't formatted in scientific notation. Visits can report any duration, and a huge number would
 * make the table too wide.
 */
const MAX_DECIMAL_MS = 1e12;
const formatMilliseconds = (value: number | null | undefined): string =>
  value == null ? '-' : `${value < MAX_DECIMAL_MS ? count(value) : value.toExponential(1)} ms`;

/** Formats an amount such as `EUR 1,234.50`. */
function formatMoney({ total, currency, minor_digits: digits }: ToolsReport['checkouts'][number]): string {
  const amount = (total ?? 0) / 10 ** digits;
  return `${currency} ${amount.toLocaleString('en-US', { minimumFractionDigits: digits })}`;
}

export const toolsReport: Report<'/api/projects/{id}/tools'> = {
  name: 'tools',
  description: 'calls to MCP tools, and checkouts over ACP and UCP',
  path: '/api/projects/{id}/tools',
  help: `
ERRORS counts failed calls: tool errors (isError), JSON-RPC errors, and requests
with status 400 or above. P50 and P95 are durations, accurate to within 10%.
Tools marked with * are unknown: every call was rejected with -32602 or -32601.
A checkout counts once, in the range in which it started. --json also contains
callers, clients, protocol versions, resources, prompts, errors by code, and
checkouts by state, currency and agent.`,
  read: (report: ToolsReport) => {
    const rows: Row[] = [
      ...report.tools.map((known) => ({ ...known, isUnknown: false, known })),
      ...report.unknown_tools.map((tool) => ({ ...tool, errors: tool.calls, isUnknown: true, known: null })),
    ];
    const summary = [
      describeCalls(report),
      ...CHECKOUT_PROTOCOLS.map((protocol) => describeCheckouts(report, protocol)),
    ]
      .filter((text) => text !== '')
      .join(' ');
    return {
      ...buildRows<Row>(rows, [
        {
          heading: 'Tool',
          value: ({ tool }) => tool,
          text: ({ tool, isUnknown }) => `${tool || '-'}${isUnknown ? ' *' : ''}`,
        },
        { heading: 'Unknown', value: ({ isUnknown }) => isUnknown, isOnlyInCsv: true },
        { heading: 'Calls', value: ({ calls }) => calls },
        { heading: 'Errors', value: ({ errors }) => errors },
        { heading: 'Callers', value: ({ known }) => known?.callers },
        { heading: 'Clients', value: ({ known }) => known?.clients },
        { heading: 'P50', value: ({ known }) => known?.p50_ms, text: ({ known }) => formatMilliseconds(known?.p50_ms) },
        { heading: 'P95', value: ({ known }) => known?.p95_ms, text: ({ known }) => formatMilliseconds(known?.p95_ms) },
        { heading: 'Timed calls', value: ({ known }) => known?.timed_calls, isOnlyInCsv: true },
      ]),
      summary,
      empty: summary || 'No tools were called and no checkouts were started in this range.',
    };
  },
};

function describeCalls({ series, unknown_tools: unknown }: ToolsReport): string {
  const [calls, errors] = series.reduce(([all, failed], item) => [all + item.calls, failed + item.errors], [0, 0]);
  if (calls === 0) return '';
  const unknownToolsText = unknown.length === 0 ? '' : `, and ${plural(unknown.length, 'unknown tool')} requested`;
  return `${plural(calls, 'call')} to tools, ${count(errors)} failed (${formatPercent(errors / calls)})${unknownToolsText}.`;
}

function describeCheckouts({ checkouts }: ToolsReport, protocol: (typeof CHECKOUT_PROTOCOLS)[number]): string {
  const startedCheckouts = checkouts.filter((row) => row.protocol === protocol);
  if (startedCheckouts.length === 0) return '';
  const completed = startedCheckouts.filter(({ state }) => state === 'completed');
  const sum = (rows: typeof startedCheckouts): number => rows.reduce((all, row) => all + row.checkouts, 0);
  const totals = completed.filter(({ total, currency }) => total !== null && currency !== null);
  const totalsText = totals.length === 0 ? '' : `: ${joinLimited(totals, formatMoney, ', ')}`;
  return `${plural(sum(startedCheckouts), 'checkout')} over ${protocol.toUpperCase()}, ${count(sum(completed))} completed (${formatPercent(sum(completed) / sum(startedCheckouts))})${totalsText}.`;
}
