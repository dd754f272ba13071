import { Type, type Static } from 'typebox';
import { agentNames, bucketTime, countedRange } from './statistics.schema.js';

/** Dimensions by which ingest counts MCP calls. Their values have several parts. */
export const TOOL_DIMENSIONS = {
  /** Visits by kind: `mcp`, `acp` or `ucp`. */
  kinds: 'tools_kind',
  /** Calls by result, `answered` or `failed`. Having only two values makes time series cheap to read. */
  results: 'tools_result',
  /** Calls by tool and failure: empty, or the fault and its code. */
  calls: 'tools_call',
  /** Calls by tool and caller: an agent ID or a value of {@link NO_CALLER}. */
  callers: 'tools_caller',
  /** Calls by tool, client name and client version. */
  clients: 'tools_client',
  /** Calls by tool and {@link durationClass}. */
  durations: 'tools_duration',
} as const;

/** Callers and buyers without an agent ID: unknown visitors, and visitors that failed verification as an agent. */
export const NO_CALLER = { unknown: '', spoofed: 'spoofed' } as const;

export const CALL_FAULTS = ['tool', 'protocol', 'http'] as const;
/** Failure of the tool (`result.isError`), the call (JSON-RPC `error`) or the request (HTTP status only). */
export type CallFault = (typeof CALL_FAULTS)[number];

/** Duration classes per doubling. */
const CLASSES_PER_DOUBLING = 4;

/**
 * Returns the class of a duration. Class k covers durations above 2^((k − 1) / 4) and up to 2^(k / 4) milliseconds, class 0
 * everything up to 1 millisecond.
 */
export const durationClass = (milliseconds: number): number =>
  milliseconds <= 1 ? 0 : Math.ceil(CLASSES_PER_DOUBLING * Math.log2(milliseconds));

/** Returns the geometric mean of a class in milliseconds, within 9.1 % (2^(1/8)) of each of its durations above 1 ms. */
export const durationOfClass = (index: number): number =>
  index === 0 ? 1 : 2 ** ((index - 0.5) / CLASSES_PER_DOUBLING);

export const CHECKOUT_PROTOCOLS = ['acp', 'ucp'] as const;
export type CheckoutProtocol = (typeof CHECKOUT_PROTOCOLS)[number];

/**
 * Checkout states of ACP 2026-04-17 and UCP 2026-08-25, in order of progress. `other` stands for states added by later
 * versions.
 */
export const CHECKOUT_STATES = [
  'incomplete',
  'not_ready_for_payment',
  'requires_escalation',
  'authentication_required',
  'pending_approval',
  'ready_for_payment',
  'ready_for_complete',
  'in_progress',
  'complete_in_progress',
  'completed',
  'canceled',
  'expired',
  'other',
] as const;
export type CheckoutState = (typeof CHECKOUT_STATES)[number];

/** Maximum number of rows per list. */
export const MAX_TOOL_ROWS = 500;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Milliseconds = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, description });
const ToolName = Type.String({
  description: 'Tool name, truncated to 200 characters. Empty if the call had none.',
});
const caller = {
  ...agentNames,
  agent_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'Agent ID, or null for unknown visitors and spoofed agents',
  }),
  is_spoofed: Type.Boolean({
    description: 'Whether the item covers visitors that failed verification, for all claimed agents together',
  }),
};
const calls = Count('Calls');
const timing = {
  p50_ms: Milliseconds('Median duration of the timed calls in milliseconds, accurate to 10 %. Null if there are none.'),
  p95_ms: Milliseconds('95th percentile of the duration, like `p50_ms`'),
  timed_calls: Count('Calls with a reported duration'),
};
const Protocol = Type.Unsafe<CheckoutProtocol>({ type: 'string', enum: [...CHECKOUT_PROTOCOLS] });
const rows = { maxItems: MAX_TOOL_ROWS, description: 'Most frequent first' };

export const ToolsReportSchema = Type.Object(
  {
    ...countedRange,
    series: Type.Array(Type.Object({ time: bucketTime, calls, errors: Count('Failed calls') })),
    tools: Type.Array(
      Type.Object({
        tool: ToolName,
        calls,
        errors: Count('Failed calls'),
        callers: Count('Number of distinct agents. Unknown visitors count as one, and so do spoofed agents.'),
        clients: Count('Number of distinct clients that were named. Each version counts separately.'),
        ...timing,
      }),
      rows,
    ),
    unknown_tools: Type.Array(
      Type.Object(
        { tool: ToolName, calls },
        { description: 'Tool whose calls were all refused with -32602 or -32601' },
      ),
      rows,
    ),
    errors: Type.Array(
      Type.Object(
        {
          tool: ToolName,
          fault: Type.Unsafe<CallFault>({
            type: 'string',
            enum: [...CALL_FAULTS],
            description: '`tool`: `result.isError`. `protocol`: JSON-RPC error. `http`: HTTP status only.',
          }),
          code: Type.Unsafe<number | null>({
            type: ['number', 'null'],
            description: 'Code of the JSON-RPC error, or status of the response. Null for `tool`.',
          }),
          calls,
        },
        { description: 'Calls of a tool that failed in the same way' },
      ),
      rows,
    ),
    callers: Type.Array(
      Type.Object({ tool: ToolName, ...caller, calls }, { description: 'Calls of a tool by one agent' }),
      rows,
    ),
    clients: Type.Array(
      Type.Object(
        {
          client_name: Type.String({ description: 'Client name. Empty if not reported.' }),
          client_version: Type.String({ description: 'Client version. Empty if not reported.' }),
          calls,
          tools: Count('Number of distinct tools'),
        },
        { description: 'Calls by one version of a client' },
      ),
      rows,
    ),
    checkouts: Type.Array(
      Type.Object(
        {
          protocol: Protocol,
          state: Type.Unsafe<CheckoutState>({
            type: 'string',
            enum: [...CHECKOUT_STATES],
            description: 'State in the newest visit',
          }),
          currency: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'ISO 4217 code in upper case, or null if not reported',
          }),
          checkouts: Count('Checkouts that started in the range'),
          total: Type.Unsafe<number | null>({
            type: ['number', 'null'],
            minimum: 0,
            description: 'Sum of the totals in minor units. Null if no total or no currency was reported.',
          }),
          minor_digits: Type.Integer({
            minimum: 0,
            maximum: 4,
            description: 'Number of decimal digits in minor units (ISO 4217). With 2, 1250 means 12.50.',
          }),
        },
        { description: 'Checkouts of one protocol, state and currency' },
      ),
      rows,
    ),
    buyers: Type.Array(
      Type.Object(
        {
          protocol: Protocol,
          ...caller,
          checkouts: Count('Checkouts that started in the range'),
          completed: Count('Completed checkouts'),
        },
        { description: 'Checkouts by agent of the newest visit' },
      ),
      rows,
    ),
  },
  { $id: 'ToolsReport' },
);

export type ToolsReport = Static<typeof ToolsReportSchema>;
