import type { AgentTraffic } from './client.js';
import type { BlockOptions, Guard } from './guard.js';
import type { AgentTrafficOptions } from './options.js';

/** A client of your own, or the options of a new one; and which agents are refused. */
export interface AdapterOptions extends AgentTrafficOptions {
  /** Absent: a new one of the other options. */
  client?: AgentTraffic | undefined;
  /** Absent: nobody is refused. */
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

/** What the bindings of a worker say, where the options say nothing. */
export function bindings(env: unknown): Pick<AdapterOptions, 'url' | 'token'> {
  const { AGENT_TRAFFIC_URL: url, AGENT_TRAFFIC_TOKEN: token } = (env ?? {}) as Record<string, string | undefined>;
  return { url, token };
}
