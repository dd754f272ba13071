import { CHECKOUT_PROTOCOLS, type ToolsReport } from '#libs/contracts';
import { count, listed, plural } from '../terminal-text.js';
import { reportRows, type Report } from './report.js';

/** Known or unknown tool. All calls of unknown tools were rejected, so only the number of calls is known. */
interface Row {
  tool: string;
  calls: number;
  errors: number;
  isUnknown: boolean;
  known: ToolsReport['tools'][number] | null;
}

/** Larger numbers use scientific notation. Visits can report any number, and a huge one would widen the table. */
const MAX_WRITTEN_OUT = 1e12;
const milliseconds = (value: number | null | undefined): string =>
  value == null ? '-' : `${value < MAX_WRITTEN_OUT ? count(value) : value.toExponential(1)} ms`;

/** Formats an amount, e.g. `EUR 1,234.50`. */
function moneyText({ total, currency, minor_digits: digits }: ToolsReport['checkouts'][number]): string {
  const amount = (total ?? 0) / 10 ** digits;
  return `${currency} ${amount.toLocaleString('en-US', { minimumFractionDigits: digits })}`;
}

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`;

export const toolsReport: Report<'/api/projects/{id}/tools'> = {
  name: 'tools',
  description: 'calls of MCP tools, and checkouts by ACP and UCP',
  path: '/api/projects/{id}/tools',
  help: `
ERRORS are calls that failed: the tool (isError), the call (JSON-RPC error), or
the request (status 400 and above). P50 and P95 are durations within 10 %. Tools
marked with * are unknown: every call was refused with -32602 or -32601.
A checkout counts once, in the range in which it began. --json has callers,
clients, errors by code, and checkouts by state, currency and agent.`,
  read: (report: ToolsReport) => {
    const rows: Row[] = [
      ...report.tools.map((known) => ({ ...known, isUnknown: false, known })),
      ...report.unknown_tools.map((tool) => ({ ...tool, errors: tool.calls, isUnknown: true, known: null })),
    ];
    const summary = [callsText(report), ...CHECKOUT_PROTOCOLS.map((protocol) => checkoutsText(report, protocol))]
      .filter((text) => text !== '')
      .join(' ');
    return {
      ...reportRows<Row>(rows, [
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
        { heading: 'P50', value: ({ known }) => known?.p50_ms, text: ({ known }) => milliseconds(known?.p50_ms) },
        { heading: 'P95', value: ({ known }) => known?.p95_ms, text: ({ known }) => milliseconds(known?.p95_ms) },
        { heading: 'Timed calls', value: ({ known }) => known?.timed_calls, isOnlyInCsv: true },
      ]),
      summary,
      empty: summary || 'No tool was called in this range, and no checkout began.',
    };
  },
};

function callsText({ series, unknown_tools: unknown }: ToolsReport): string {
  const [calls, errors] = series.reduce(([all, failed], item) => [all + item.calls, failed + item.errors], [0, 0]);
  if (calls === 0) return '';
  const asked = unknown.length === 0 ? '' : `, and ${plural(unknown.length, 'unknown tool')} asked for`;
  return `${plural(calls, 'call')} of tools, ${count(errors)} failed (${percent(errors, calls)})${asked}.`;
}

function checkoutsText({ checkouts }: ToolsReport, protocol: (typeof CHECKOUT_PROTOCOLS)[number]): string {
  const begun = checkouts.filter((row) => row.protocol === protocol);
  if (begun.length === 0) return '';
  const completed = begun.filter(({ state }) => state === 'completed');
  const sum = (rows: typeof begun): number => rows.reduce((all, row) => all + row.checkouts, 0);
  const totals = completed.filter(({ total, currency }) => total !== null && currency !== null);
  const worth = totals.length === 0 ? '' : `: ${listed(totals, moneyText, ', ')}`;
  return `${plural(sum(begun), 'checkout')} by ${protocol.toUpperCase()}, ${count(sum(completed))} completed (${percent(sum(completed), sum(begun))})${worth}.`;
}
