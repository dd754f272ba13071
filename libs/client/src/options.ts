import { readEnv } from './env.js';
import { isStaticFile } from './static-files.js';
import { warn } from './warn.js';

export interface AgentTrafficOptions {
  /** Address of the instance. Absent: the environment's `AGENT_TRAFFIC_URL`. */
  url?: string | undefined;
  /** Access token of the project. Absent: the environment's `AGENT_TRAFFIC_TOKEN`. */
  token?: string | undefined;
  /** Returns whether a request is not reported. Absent: static files are not. */
  ignore?: ((path: string, method: string) => boolean) | undefined;
  /** Headers to redact beside those whose names look like credentials. */
  redactedHeaders?: readonly string[] | undefined;
  /** Visits that wait before they are sent without waiting for the interval. Absent: 50. */
  flushAt?: number | undefined;
  /** Absent: 1,000. */
  flushIntervalMs?: number | undefined;
  /** Visits that wait at most; of more, the oldest are dropped. Absent: 10,000. */
  maxQueuedVisits?: number | undefined;
  /** Characters of JSON that wait at most. Absent: 32 million. */
  maxQueuedCharacters?: number | undefined;
  /** For one request to the instance. Absent: 10,000. */
  timeoutMs?: number | undefined;
  /** How long a process waits at its end until its visits are sent; 2,500 at most while the instance is down. Default: 8,000. */
  shutdownTimeoutMs?: number | undefined;
  /** Told of visits that are lost and of a wrong configuration. Absent: a warning on the console, at most once a minute. */
  onProblem?: ((message: string, isFinal?: boolean) => void) | undefined;
  /** Absent: the runtime's. */
  fetch?: typeof fetch | undefined;
}

export type Settings = { [Name in keyof AgentTrafficOptions]-?: NonNullable<AgentTrafficOptions[Name]> };

/** Fills in the defaults. Without a valid address and a token, nothing is reported. */
export function settingsOf(options: AgentTrafficOptions): Settings & { isConfigured: boolean } {
  const env = readEnv();
  const url = (options.url ?? env.url ?? '').replace(/\/$/, '');
  const token = options.token ?? env.token ?? '';
  const onProblem = (problem: string, isFinal = false): void => {
    try {
      (options.onProblem ?? warn)(problem, isFinal);
    } catch {
      // The site's own function failed, and reporting must not fail the site.
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
    // Looked up at each call: sites and tests replace it.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
  };
}
