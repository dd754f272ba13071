import { Type, type Static } from 'typebox';
import { agentNames, bucketTime, countedRange } from './statistics.schema.js';

/** What ingest counts MCP calls by, each by values of several parts. */
export const TOOL_DIMENSIONS = {
  /** Every visit of one of these kinds: `mcp`, `acp` or `ucp`. */
  kinds: 'tools_kind',
  /** Calls by whether they were `answered` or `failed`: two values, quick to read over time. */
  results: 'tools_result',
  /** Calls by tool and outcome: empty, or what failed and its code. */
  calls: 'tools_call',
  /** Calls by tool and caller: the agent's id, or a member of {@link NO_CALLER}. */
  callers: 'tools_caller',
  /** Calls by tool, name and version of the client. */
  clients: 'tools_client',
  /** Calls by tool and class of their duration: see {@link durationClass}. */
  durations: 'tools_duration',
} as const;

/** Who called or bought, where it was no agent: visitors that the catalog does not know, and those that only claim to be one. */
export const NO_CALLER = { unknown: '', spoofed: 'spoofed' } as const;

export const CALL_FAULTS = ['tool', 'protocol', 'http'] as const;
/** What failed: the tool (`result.isError`), the call (JSON-RPC's `error`), or the request (HTTP alone). */
export type CallFault = (typeof CALL_FAULTS)[number];

/** Classes of durations per doubling. */
const CLASSES_PER_DOUBLING = 4;

/**
 * The class of a duration: class k has those above 2^((k − 1) / 4) and up to 2^(k / 4) milliseconds, class 0 all up to one
 * millisecond.
 */
export const durationClass = (milliseconds: number): number =>
  milliseconds <= 1 ? 0 : Math.ceil(CLASSES_PER_DOUBLING * Math.log2(milliseconds));

/** The milliseconds that stand for a class: its geometric middle, within 2^(1/8), or 9.1 %, of every duration above 1 ms in it. */
export const durationOfClass = (index: number): number =>
  index === 0 ? 1 : 2 ** ((index - 0.5) / CLASSES_PER_DOUBLING);

export const CHECKOUT_PROTOCOLS = ['acp', 'ucp'] as const;
export type CheckoutProtocol = (typeof CHECKOUT_PROTOCOLS)[number];

/**
 * States of a checkout: those of ACP 2026-04-17 and UCP 2026-08-25, in the order in which a checkout goes through them, and
 * `other` for any that a later version may add.
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

/** Rows of a list in one answer. */
export const MAX_TOOL_ROWS = 500;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Milliseconds = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, description });
const ToolName = Type.String({
  description: 'Name of the tool, cut after 200 characters; empty where the call had none',
});
const caller = {
  ...agentNames,
  agent_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'null for visitors of no known agent, and for those that only claim to be one',
  }),
  is_spoofed: Type.Boolean({ description: 'Claimed to be an agent and was not; of all claimed agents together' }),
};
const calls = Count('Calls');
const timing = {
  p50_ms: Milliseconds(
    'Duration in milliseconds that half of the timed calls did not exceed, within 10 %; null without any',
  ),
  p95_ms: Milliseconds('The same of 95 % of them'),
  timed_calls: Count('Calls whose duration was reported'),
};
const Protocol = Type.Unsafe<CheckoutProtocol>({ type: 'string', enum: [...CHECKOUT_PROTOCOLS] });
const rows = { maxItems: MAX_TOOL_ROWS, description: 'The most frequent first' };

export const ToolsReportSchema = Type.Object(
  {
    ...countedRange,
    series: Type.Array(Type.Object({ time: bucketTime, calls, errors: Count('Calls that failed') })),
    tools: Type.Array(
      Type.Object({
        tool: ToolName,
        calls,
        errors: Count('Calls that failed'),
        callers: Count('Different agents; unknown visitors together count as one, and so do spoofed ones'),
        clients: Count('Different clients that were named, each with its versions'),
        ...timing,
      }),
      rows,
    ),
    unknown_tools: Type.Array(
      Type.Object({ tool: ToolName, calls }, { description: 'Every call was refused with -32602 or -32601' }),
      rows,
    ),
    errors: Type.Array(
      Type.Object(
        {
          tool: ToolName,
          fault: Type.Unsafe<CallFault>({
            type: 'string',
            enum: [...CALL_FAULTS],
            description:
              '`tool`: result.isError. `protocol`: the JSON-RPC error. `http`: the status of the response alone',
          }),
          code: Type.Unsafe<number | null>({
            type: ['number', 'null'],
            description: "Code of the JSON-RPC error, or the response's status; null for `tool`",
          }),
          calls,
        },
        { description: 'Calls of a tool that failed in one way' },
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
          client_name: Type.String({ description: 'As the client calls itself; empty where it was not reported' }),
          client_version: Type.String({ description: 'Empty where it was not reported' }),
          calls,
          tools: Count('Different tools'),
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
            description: 'As the newest visit has it',
          }),
          currency: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'ISO 4217, in capitals; null where none was reported',
          }),
          checkouts: Count('Checkouts that began in the range'),
          total: Type.Unsafe<number | null>({
            type: ['number', 'null'],
            minimum: 0,
            description: 'What they come to together, in minor units; null where no total or no currency was reported',
          }),
          minor_digits: Type.Integer({
            minimum: 0,
            maximum: 4,
            description: 'Decimal digits of the minor units (ISO 4217): 2 where 1250 is 12.50',
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
          checkouts: Count('Checkouts that began in the range'),
          completed: Count('Those that are completed'),
        },
        { description: 'Checkouts by the agent of their newest visit' },
      ),
      rows,
    ),
  },
  { $id: 'ToolsReport' },
);

export type ToolsReport = Static<typeof ToolsReportSchema>;
