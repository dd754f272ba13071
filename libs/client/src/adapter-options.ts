import type { AgentTraffic } from './client.js';
import type { BlockOptions, Guard } from './guard.js';
import type { AgentTrafficOptions } from './options.js';

export interface AdapterOptions extends AgentTrafficOptions {
  /** Existing client to use. Default: a new client with the other options. */
  client?: AgentTraffic | undefined;
  /** Agents to refuse. Default: none. */
  block?: BlockOptions | undefined;
}

export type MakeClient = (options: AgentTrafficOptions) => AgentTraffic;

export interface Adapter {
  client: AgentTraffic;
  guard: Guard | null;
}

export function adapterOf({ client, block, ...options }: AdapterOptions, makeClient: MakeClient): Adapter {
  const used = client ?? makeClient(options);
  return { client: used, guard: block === undefined ? null : used.block(block) };
}

/** Returns the URL and token from the environment bindings of a Worker. */
export function bindings(env: unknown): Pick<AdapterOptions, 'url' | 'token'> {
  const { AGENT_TRAFFIC_URL: url, AGENT_TRAFFIC_TOKEN: token } = (env ?? {}) as Record<string, string | undefined>;
  return { url, token };
}
