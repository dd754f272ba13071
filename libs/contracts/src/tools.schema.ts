import { Type, type Static } from 'typebox';
import { agentNames, bucketTime, countedRange } from './statistics.schema.js';

/** Count dimensions for MCP calls. Their values consist of several parts. */
export const TOOL_DIMENSIONS = {
  /** Visits by kind: `mcp`, `acp` or `ucp`. */
  kinds: 'tools_kind',
  /** Calls by result: `answered` or `failed`. Charts read this dimension because it has only two values. */
  results: 'tools_result',
  /**
   * Calls by tool and failure. The failure is empty for successful calls, and otherwise consists of the {@link
   * CallFault} and its code.
   */
  calls: 'tools_call',
  /** Calls by tool and caller: an agent ID or a value of {@link NO_CALLER}. */
  callers: 'tools_caller',
  /** Calls by tool, client name and client version. */
  clients: 'tools_client',
  /** Calls by tool and duration class (see {@link getDurationClass}). */
  durations: 'tools_duration',
  /** MCP requests other than tool calls, by method, name (of a prompt or resource) and failure. */
  requests: 'tools_request',
  /** MCP requests by protocol version, caller (as in `callers`), client name and client version. */
  versions: 'tools_version',
} as const;

/** Values that replace the agent ID if the caller or buyer is an unknown visitor or failed verification as an agent. */
export const NO_CALLER = { unknown: '', spoofed: 'spoofed' } as const;

export const CALL_FAULTS = ['tool', 'protocol', 'http'] as const;
/** Failure of the tool (`result.isError`), the call (JSON-RPC `error`) or the request (HTTP status only). */
export type CallFault = (typeof CALL_FAULTS)[number];

/** Number of duration classes per doubling of the duration. */
const CLASSES_PER_DOUBLING = 4;

/**
 * Returns the class that a duration belongs to. Class k covers durations above 2^((k − 1) / 4) ms and up to 2^(k / 4) ms.
 * Class 0 covers durations up to 1 ms.
 */
export const getDurationClass = (milliseconds: number): number =>
  milliseconds <= 1 ? 0 : Math.ceil(CLASSES_PER_DOUBLING * Math.log2(milliseconds));

/** Returns a class's geometric mean in milliseconds, which is within 9.1% (2^(1/8)) of its durations above 1 ms. */
export const getClassDuration = (index: number): number =>
  index === 0 ? 1 : 2 ** ((index - 0.5) / CLASSES_PER_DOUBLING);

export const CHECKOUT_PROTOCOLS = ['acp', 'ucp'] as const;
export type CheckoutProtocol = (typeof CHECKOUT_PROTOCOLS)[number];

/**
 * Checkout states in ACP 2026-04-17 and UCP 2026-08-25, in order of progress. `other` stands for states from later
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
  description: "Tool name, truncated to 200 characters. Empty if the call didn't name a tool.",
});
const Method = Type.String({ description: 'MCP method, such as `tools/call`' });
const caller = {
  ...agentNames,
  agent_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'Agent ID. Null for unknown visitors and spoofed agents.',
  }),
  is_spoofed: Type.Boolean({
    description:
      'Whether the item covers all visitors that failed verification, regardless of the agent they claim to be',
  }),
};
const calls = Count('Number of calls');
const timing = {
  p50_ms: Milliseconds(
    'Median of the reported call durations in milliseconds, accurate to 10%. Null if none were reported.',
  ),
  p95_ms: Milliseconds('95th percentile of the duration in milliseconds, with the same accuracy as `p50_ms`'),
  timed_calls: Count('Number of calls with a reported duration'),
};
const Protocol = Type.Unsafe<CheckoutProtocol>({ type: 'string', enum: [...CHECKOUT_PROTOCOLS] });
const rows = { maxItems: MAX_TOOL_ROWS, description: 'Items, most frequent first' };

export const ToolsReportSchema = Type.Object(
  {
    ...countedRange,
    series: Type.Array(Type.Object({ time: bucketTime, calls, errors: Count('Number of failed calls') })),
    tools: Type.Array(
      Type.Object({
        tool: ToolName,
        calls,
        errors: Count('Number of failed calls'),
        callers: Count(
          'Number of distinct agents. All unknown visitors together count as one agent, and so do all spoofed agents.',
        ),
        clients: Count('Number of distinct reported clients. Each version counts separately.'),
        ...timing,
      }),
      rows,
    ),
    unknown_tools: Type.Array(
      Type.Object(
        { tool: ToolName, calls },
        { description: 'Tool whose calls were all rejected with -32602 or -32601' },
      ),
      rows,
    ),
    errors: Type.Array(
      Type.Object(
        {
          method: Method,
          tool: Type.String({
            description: 'Name of the tool or prompt, or URI of the resource. Empty for other methods.',
          }),
          fault: Type.Unsafe<CallFault>({
            type: 'string',
            enum: [...CALL_FAULTS],
            description:
              '`tool` means the result had `isError` set. `protocol` means a JSON-RPC error was returned. `http` means only the HTTP status indicated the failure.',
          }),
          code: Type.Unsafe<number | null>({
            type: ['number', 'null'],
            description: 'JSON-RPC error code or response status. Null for `tool`.',
          }),
          calls,
        },
        { description: 'Calls to a tool, or other MCP requests, that failed in the same way' },
      ),
      rows,
    ),
    callers: Type.Array(
      Type.Object({ tool: ToolName, ...caller, calls }, { description: 'Calls to a tool by one agent' }),
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
    requests: Type.Array(
      Type.Object(
        {
          method: Method,
          name: Type.String({
            description:
              'Name of the prompt or URI of the resource, truncated to 200 characters. Empty for other methods.',
          }),
          requests: Count('Number of requests'),
          errors: Count('Number of failed requests'),
        },
        { description: 'MCP requests other than tool calls, such as `resources/read`' },
      ),
      rows,
    ),
    versions: Type.Array(
      Type.Object(
        {
          version: Type.String({ description: 'MCP protocol version, such as 2026-07-28. Empty if not reported.' }),
          ...caller,
          client_name: Type.String({ description: 'Client name. Empty if not reported.' }),
          client_version: Type.String({ description: 'Client version. Empty if not reported.' }),
          requests: Count('Number of MCP requests, including tool calls'),
        },
        { description: 'MCP requests with the same protocol version, agent and client' },
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
            description: 'State according to the most recent visit',
          }),
          currency: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'Upper-case ISO 4217 code. Null if not reported.',
          }),
          checkouts: Count('Number of checkouts that started in the time range'),
          total: Type.Unsafe<number | null>({
            type: ['number', 'null'],
            minimum: 0,
            description: 'Sum of the totals in minor units. Null if no total or no currency was reported.',
          }),
          last_visit_id: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            format: 'uuid',
            description: 'The visit received last, of any of the checkouts. Null if they are anonymized.',
          }),
          minor_digits: Type.Integer({
            minimum: 0,
            maximum: 4,
            description: 'Number of decimal digits in minor units (ISO 4217). If it is 2, a total of 1250 means 12.50.',
          }),
        },
        { description: 'Checkouts with the same protocol, state and currency' },
      ),
      rows,
    ),
    buyers: Type.Array(
      Type.Object(
        {
          protocol: Protocol,
          ...caller,
          checkouts: Count('Number of checkouts that started in the time range'),
          completed: Count('Number of completed checkouts'),
        },
        { description: 'Checkouts, by the agent of their most recent visit' },
      ),
      rows,
    ),
  },
  { $id: 'ToolsReport' },
);

export type ToolsReport = Static<typeof ToolsReportSchema>;
