import type { EngineClass } from './engine.js';
import { readEnv } from './env.js';
import { isStaticFile } from './static-files.js';
import { warn } from './warn.js';

export interface AgentTrafficOptions {
  /** URL of the Agent Traffic instance. Default: the `AGENT_TRAFFIC_URL` environment variable. */
  url?: string | undefined;
  /** The project's access token. Default: the `AGENT_TRAFFIC_TOKEN` environment variable. */
  token?: string | undefined;
  /** Returns true for requests that shouldn't be reported. Default: ignores static files. */
  ignore?: ((path: string, method: string) => boolean) | undefined;
  /** Additional headers to redact. Headers with credential-like names are always redacted. */
  redactedHeaders?: readonly string[] | undefined;
  /** Number of queued visits that triggers a send before `flushIntervalMs` has elapsed. Default: 50. */
  flushAt?: number | undefined;
  /** Maximum time a visit is queued before it is sent, in milliseconds. Default: 1,000. */
  flushIntervalMs?: number | undefined;
  /** Maximum number of queued visits. When it is exceeded, the oldest visits are dropped. Default: 10,000. */
  maxQueuedVisits?: number | undefined;
  /** Maximum total size of queued visits, in characters of JSON. Default: 32 million. */
  maxQueuedCharacters?: number | undefined;
  /** Timeout for requests to the instance, in milliseconds. Default: 10,000. */
  timeoutMs?: number | undefined;
  /**
   * Maximum time to send queued visits before the process exits, in milliseconds. Capped at 2,500 while the instance is
   * down. Default: 8,000.
   */
  shutdownTimeoutMs?: number | undefined;
  /**
   * Called when visits are delayed or lost, or when the configuration is incomplete. `isFinal` is true if the process
   * is about to exit. Default: logs a console warning at most once a minute.
   */
  onProblem?: ((message: string, isFinal?: boolean) => void) | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** The `Engine` class of `@agent-traffic/engine`, to apply the project's rules in this process. Default: none. */
  engine?: EngineClass | undefined;
}

export type Settings = {
  [Name in Exclude<keyof AgentTrafficOptions, 'engine'>]-?: NonNullable<AgentTrafficOptions[Name]>;
} & { engine: EngineClass | null };

/** Applies default settings. `isConfigured` is true if the URL is an HTTP(S) URL and a token is set. */
export function resolveSettings(options: AgentTrafficOptions): Settings & { isConfigured: boolean } {
  const env = readEnv();
  const url = (options.url ?? env.url ?? '').replace(/\/$/, '');
  const token = options.token ?? env.token ?? '';
  const onProblem = (problem: string, isFinal = false): void => {
    try {
      (options.onProblem ?? warn)(problem, isFinal);
    } catch {
      // An error in the callback must not break the site.
    }
  };
  const isConfigured = /^https?:\/\//.test(url) && token !== '';
  return {
    url,
    token,
    isConfigured,
    onProblem,
    ignore: options.ignore ?? isStaticFile,
    redactedHeaders: options.redactedHeaders ?? [],
    flushAt: options.flushAt ?? 50,
    flushIntervalMs: options.flushIntervalMs ?? 1_000,
    maxQueuedVisits: options.maxQueuedVisits ?? 10_000,
    maxQueuedCharacters: options.maxQueuedCharacters ?? 32_000_000,
    timeoutMs: options.timeoutMs ?? 10_000,
    shutdownTimeoutMs: options.shutdownTimeoutMs ?? 8_000,
    // Look up the global on each call, because sites and tests may replace it.
    engine: options.engine ?? null,
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
  };
}
