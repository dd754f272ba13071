import type { AgentTraffic } from './client.js';
import type { BlockOptions, Guard } from './guard.js';
import type { AgentTrafficOptions } from './options.js';

export interface AdapterOptions extends AgentTrafficOptions {
  /** Client to reuse. Default: a new client created from the other options. */
  client?: AgentTraffic | undefined;
  /** Agents to block. Default: none. */
  block?: BlockOptions | undefined;
}

export type ClientFactory = (options: AgentTrafficOptions) => AgentTraffic;

export interface Adapter {
  client: AgentTraffic;
  guard: Guard | null;
}

export function createAdapter({ client, block, ...options }: AdapterOptions, createClient: ClientFactory): Adapter {
  const resolvedClient = client ?? createClient(options);
  return { client: resolvedClient, guard: block === undefined ? null : resolvedClient.block(block) };
}

export function readBindings(env: unknown): Pick<AdapterOptions, 'url' | 'token'> {
  const { AGENT_TRAFFIC_URL: url, AGENT_TRAFFIC_TOKEN: token } = (env ?? {}) as Record<string, string | undefined>;
  return { url, token };
}
