import { Breaker } from './breaker.js';
import { InstanceError } from './instance.js';
import { plainRequest, type AnyRequest, type PlainRequest } from './requests.js';
import type { AgentType, Identification } from './types.js';

export interface BlockOptions {
  /** Agents of these types are refused; `all` refuses agents of every type. */
  types: readonly AgentType[] | 'all';
  /** Lets agents pass that prove who they are. */
  unless?: 'verified' | undefined;
  /** Absent: 403. 402 says that access has a price. */
  status?: 402 | 403 | undefined;
  /** Paths to guard; absent: all but `/robots.txt`, where agents read what they may do. */
  paths?: ((path: string) => boolean) | undefined;
  /** How long a request waits for the instance before it passes. Absent: 500. */
  timeoutMs?: number | undefined;
  /** Text of the answer. */
  body?: string | undefined;
}

export interface Refusal {
  status: 402 | 403;
  body: string;
  headers: Record<string, string>;
}

/** Who is asked: a client. */
interface Verifier {
  verify(request: AnyRequest, options: { timeoutMs: number }): Promise<Identification>;
}

/** Of user agents of people; what the catalog says of them holds for so long. */
const REMEMBERED_MS = 300_000;
const MAX_REMEMBERED = 5_000;
/** Of a user agent that is remembered; visitors can send much longer ones, which people don't have. */
const MAX_REMEMBERED_LENGTH = 512;

/** Says which requests to refuse. Lets a request pass if the instance does not say in time who sent it. */
export class Guard {
  private readonly breaker = new Breaker();
  /** User agents that are of no agent, and until when that holds. */
  private readonly unknown = new Map<string, number>();

  constructor(
    private readonly client: Verifier,
    private readonly options: BlockOptions,
  ) {}

  /** Returns what to answer instead of the page; null lets the request pass. Never fails. */
  async refusal(request: AnyRequest): Promise<Refusal | null> {
    try {
      const plain = plainRequest(request);
      const { request_path: path, request_headers: headers } = plain;
      const { paths = isNotRobotsTxt } = this.options;
      if (this.breaker.isOpen || !paths(path)) return null;
      // A signature can name an agent, whatever the user agent; nothing else can.
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
      // Any other status is about this request.
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
