import { toPath } from '../../policy/src/request-target.js';
import { CircuitBreaker } from './breaker.js';
import { InstanceError } from './instance.js';
import { toPlainRequest, type AnyRequest, type PlainRequest } from './requests.js';
import type { AgentType, Identification, WebRequestContext } from './types.js';

export interface BlockOptions {
  types: readonly AgentType[] | 'all';
  /** Set to `verified` to let verified agents pass. */
  unless?: 'verified' | undefined;
  /** Status code for blocked requests. 402 signals that access requires payment. Default: 403. */
  status?: 402 | 403 | undefined;
  /** Returns true for paths to guard. Default: all paths except `/robots.txt`, so agents can read the site's rules. */
  paths?: ((path: string) => boolean) | undefined;
  /** Maximum time to wait for the instance, in milliseconds. After that, the request passes. Default: 500. */
  timeoutMs?: number | undefined;
  /** Plain-text body for blocked requests. Default: a one-sentence explanation. */
  body?: string | undefined;
}

export interface Refusal {
  status: 402 | 403;
  body: string;
  headers: Record<string, string>;
}

interface Verifier {
  verify(request: AnyRequest, options: { timeoutMs: number }): Promise<Identification>;
}

/** How long to cache a user agent that doesn't match any known agent. */
const CACHE_TTL_MS = 300_000;
const MAX_CACHED_USER_AGENTS = 5_000;
/** Maximum length of a cached user agent. Browsers send shorter ones, but visitors can send anything. */
const MAX_CACHED_LENGTH = 512;

/** Decides which requests to block. Lets a request pass if the instance can't identify its sender in time. */
export class Guard {
  private readonly breaker = new CircuitBreaker();
  /** Expiry times of user agents that don't match any known agent. */
  private readonly unknownUserAgents = new Map<string, number>();

  constructor(
    private readonly client: Verifier,
    private readonly options: BlockOptions,
  ) {}

  /** Returns the response for a blocked request, or null to let the request pass. Never rejects. */
  async refusal(request: AnyRequest, { clientAddress }: WebRequestContext = {}): Promise<Refusal | null> {
    try {
      const plain = toPlainRequest(request, clientAddress);
      const { request_headers: headers } = plain;
      const path = toPath(plain.request_path);
      const { paths = isNotRobotsTxt } = this.options;
      if (this.breaker.isOpen || !paths(path)) return null;
      // A signed request can come from a known agent even if its user agent is unknown.
      const userAgent =
        headers['signature'] === undefined && headers['user-agent'] ? String(headers['user-agent']) : null;
      if (userAgent !== null && this.isCachedUnknown(userAgent)) return null;
      const identification = await this.identify(plain);
      if (userAgent !== null && identification?.result === 'unknown_agent') this.cacheUnknown(userAgent);
      return identification !== null && this.shouldBlock(identification) ? this.createRefusal() : null;
    } catch {
      return null;
    }
  }

  private async identify(request: PlainRequest): Promise<Identification | null> {
    try {
      const identification = await this.client.verify(request, { timeoutMs: this.options.timeoutMs ?? 500 });
      this.breaker.recordSuccess();
      return identification;
    } catch (error) {
      // An error status concerns only this request, and shows that the instance is reachable.
      if (error instanceof InstanceError && error.status === null) this.breaker.recordFailure(request);
      else if (error instanceof InstanceError) this.breaker.recordSuccess();
      return null;
    }
  }

  private shouldBlock({ result, agent_type_name: type }: Identification): boolean {
    const { types, unless } = this.options;
    if (result === 'unknown_agent' || result === unless) return false;
    return types === 'all' || (type !== undefined && types.includes(type));
  }

  private createRefusal(): Refusal {
    const { status = 403, body } = this.options;
    return {
      status,
      body:
        body ??
        (status === 402 ? 'Payment required for this agent.\n' : "This agent isn't allowed to access this page.\n"),
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    };
  }

  private isCachedUnknown(userAgent: string): boolean {
    return (this.unknownUserAgents.get(userAgent) ?? 0) > performance.now();
  }

  private cacheUnknown(userAgent: string): void {
    if (userAgent.length > MAX_CACHED_LENGTH) return;
    if (this.unknownUserAgents.size >= MAX_CACHED_USER_AGENTS) this.unknownUserAgents.clear();
    this.unknownUserAgents.set(userAgent, performance.now() + CACHE_TTL_MS);
  }
}

const isNotRobotsTxt = (path: string): boolean => path !== '/robots.txt' && !path.startsWith('/robots.txt?');
