import { Breaker } from './breaker.js';
import { InstanceError } from './instance.js';
import { plainRequest, type AnyRequest, type PlainRequest } from './requests.js';
import type { AgentType, Identification } from './types.js';

export interface BlockOptions {
  types: readonly AgentType[] | 'all';
  /** `verified`: let verified agents pass. */
  unless?: 'verified' | undefined;
  /** Status of the refusal. 402 means that access must be paid for. Default: 403. */
  status?: 402 | 403 | undefined;
  /** Selects the paths to guard. Default: all except `/robots.txt`, so agents can read their rules. */
  paths?: ((path: string) => boolean) | undefined;
  /** How long a request waits for the instance before it passes. Default: 500. */
  timeoutMs?: number | undefined;
  /** Plain-text body of the refusal. Default: a one-sentence explanation. */
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

/** How long to remember that a user agent doesn't match any known agent. */
const REMEMBERED_MS = 300_000;
const MAX_REMEMBERED = 5_000;
/** Maximum length of a remembered user agent. Browsers send shorter ones, but a visitor can send anything. */
const MAX_REMEMBERED_LENGTH = 512;

/** Decides which requests to refuse. Lets a request pass if the instance doesn't identify the sender in time. */
export class Guard {
  private readonly breaker = new Breaker();
  /** User agents that don't match any known agent, with their expiry times. */
  private readonly unknown = new Map<string, number>();

  constructor(
    private readonly client: Verifier,
    private readonly options: BlockOptions,
  ) {}

  /** Returns the response to send instead of the page, or null to let the request pass. Never rejects. */
  async refusal(request: AnyRequest): Promise<Refusal | null> {
    try {
      const plain = plainRequest(request);
      const { request_path: path, request_headers: headers } = plain;
      const { paths = isNotRobotsTxt } = this.options;
      if (this.breaker.isOpen || !paths(path)) return null;
      // Only a signature can identify an agent regardless of its user agent.
      const userAgent =
        headers['signature'] === undefined && headers['user-agent'] ? String(headers['user-agent']) : null;
      if (userAgent !== null && this.isKnownAsNone(userAgent)) return null;
      const identification = await this.identify(plain);
      if (userAgent !== null && identification?.result === 'unknown_agent') this.remember(userAgent);
      return identification !== null && this.refuses(identification) ? this.answer() : null;
    } catch {
      return null;
    }
  }

  private async identify(request: PlainRequest): Promise<Identification | null> {
    try {
      const identification = await this.client.verify(request, { timeoutMs: this.options.timeoutMs ?? 500 });
      this.breaker.succeeded();
      return identification;
    } catch (error) {
      // Other statuses are caused by this request, not by an outage.
      if (error instanceof InstanceError && (error.status === null || error.status >= 500))
        this.breaker.failed(request);
      return null;
    }
  }

  private refuses({ result, agent_type_name: type }: Identification): boolean {
    const { types, unless } = this.options;
    if (result === 'unknown_agent' || result === unless) return false;
    return types === 'all' || (type !== undefined && types.includes(type));
  }

  private answer(): Refusal {
    const { status = 403, body } = this.options;
    return {
      status,
      body: body ?? (status === 402 ? 'Payment required for this agent.\n' : 'This agent may not fetch this page.\n'),
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    };
  }

  private isKnownAsNone(userAgent: string): boolean {
    return (this.unknown.get(userAgent) ?? 0) > performance.now();
  }

  private remember(userAgent: string): void {
    if (userAgent.length > MAX_REMEMBERED_LENGTH) return;
    if (this.unknown.size >= MAX_REMEMBERED) this.unknown.clear();
    this.unknown.set(userAgent, performance.now() + REMEMBERED_MS);
  }
}

const isNotRobotsTxt = (path: string): boolean => path !== '/robots.txt' && !path.startsWith('/robots.txt?');
