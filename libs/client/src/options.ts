import { readEnv } from './env.js';
import { isStaticFile } from './static-files.js';
import { warn } from './warn.js';

export interface AgentTrafficOptions {
  /** URL of the instance. Default: `AGENT_TRAFFIC_URL` from the environment. */
  url?: string | undefined;
  /** Access token of the project. Default: `AGENT_TRAFFIC_TOKEN` from the environment. */
  token?: string | undefined;
  /** Returns true for requests that must not be reported. Default: static files. */
  ignore?: ((path: string, method: string) => boolean) | undefined;
  /** Additional headers to redact. Headers with credential-like names are always redacted. */
  redactedHeaders?: readonly string[] | undefined;
  /** Number of queued visits that triggers a send before `flushIntervalMs` is over. Default: 50. */
  flushAt?: number | undefined;
  /** Maximum time that a visit waits for others before it is sent. Default: 1,000. */
  flushIntervalMs?: number | undefined;
  /** Maximum number of queued visits. If there are more, the oldest are dropped. Default: 10,000. */
  maxQueuedVisits?: number | undefined;
  /** Maximum length of all queued visits, in characters of JSON. Default: 32 million. */
  maxQueuedCharacters?: number | undefined;
  /** Timeout of a request to the instance. Default: 10,000. */
  timeoutMs?: number | undefined;
  /**
   * Maximum time to send the remaining visits before the process exits. Limited to 2,500 while the instance is down.
   * Default: 8,000.
   */
  shutdownTimeoutMs?: number | undefined;
  /**
   * Called when visits are delayed or lost, or the configuration is incomplete. `isFinal` means that the process is
   * about to exit. Default: a console warning, at most once a minute.
   */
  onProblem?: ((message: string, isFinal?: boolean) => void) | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

export type Settings = { [Name in keyof AgentTrafficOptions]-?: NonNullable<AgentTrafficOptions[Name]> };

/** Fills in the defaults. `isConfigured` requires an HTTP URL and a token. */
export function settingsOf(options: AgentTrafficOptions): Settings & { isConfigured: boolean } {
  const env = readEnv();
  const url = (options.url ?? env.url ?? '').replace(/\/$/, '');
  const token = options.token ?? env.token ?? '';
  const onProblem = (problem: string, isFinal = false): void => {
    try {
      (options.onProblem ?? warn)(problem, isFinal);
    } catch {
      // A failing callback must not break the site.
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
    // Looked up at each call, because sites and tests replace it.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
  };
}
