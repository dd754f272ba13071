import type { AgentTraffic } from './client.js';
import type { BlockOptions } from './guard.js';
import type { AgentTrafficOptions } from './options.js';
import type { AnyRequest } from './requests.js';
import type { EnforceOptions } from './rules-guard.js';
import type { WebRequestContext } from './types.js';

export interface AdapterOptions extends AgentTrafficOptions {
  /** Client to reuse. Default: a new client created from the other options. */
  client?: AgentTraffic | undefined;
  /** Agents to block. Default: none. */
  block?: BlockOptions | undefined;
  /** Applies the project's rules in this process. Requires `engine`. Default: false. */
  enforce?: EnforceOptions | boolean | undefined;
}

export type ClientFactory = (options: AgentTrafficOptions) => AgentTraffic;

/** Response to a visitor whose request is blocked. */
export interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface RequestGuard {
  /** Returns the response to a blocked request, or null to let the request pass. Never rejects. */
  refusal(request: AnyRequest, context?: WebRequestContext): Promise<Refusal | null>;
}

export interface Adapter {
  client: AgentTraffic;
  guard: RequestGuard | null;
}

export function createAdapter(
  { client: existingClient, block, enforce = false, ...options }: AdapterOptions,
  createClient: ClientFactory,
): Adapter {
  const client = existingClient ?? createClient(options);
  const guards: RequestGuard[] = [];
  if (enforce !== false) guards.push(client.enforce(enforce === true ? {} : enforce));
  if (block !== undefined) guards.push(client.block(block));
  const [first, second] = guards;
  if (first === undefined || second === undefined) return { client, guard: first ?? null };
  const refusal: RequestGuard['refusal'] = async (request, context) =>
    (await first.refusal(request, context)) ?? second.refusal(request, context);
  return { client, guard: { refusal } };
}

export function readBindings(env: unknown): Pick<AdapterOptions, 'url' | 'token'> {
  const { AGENT_TRAFFIC_URL: url, AGENT_TRAFFIC_TOKEN: token } = (env ?? {}) as Record<string, string | undefined>;
  return { url, token };
}
