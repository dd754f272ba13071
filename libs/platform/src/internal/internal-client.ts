import { Histogram } from 'prom-client';
import type { Pool } from 'undici';
import type { Operation, Problem } from '#libs/contracts';
import { PROBLEMS, ProblemError, unavailable, type ProblemType } from '../problem.js';
import { requestContext } from '../request-context.js';
import { ACTOR_HEADER, writeActor } from './internal-access.js';
import { loadUndici, RenewedPool, type Resolve } from './renewed-pool.js';

export interface InternalClientOptions {
  service: string;
  /** Base URL, such as `http://host:port`. */
  url: string;
  /** INTERNAL_API_SECRET, the shared secret of all services. */
  secret: string;
  /** Milliseconds for a response, including a retry. Default: 2000. */
  timeoutMs?: number;
  /** Milliseconds after which connections are renewed, because only new ones reach new replicas. Default: 30000. */
  renewAfterMs?: number;
  connections?: number;
  /** Default: the system's DNS lookup. */
  resolve?: Resolve;
}

export interface InternalRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Serialized body. Replaces `body`. */
  json?: string;
  /** Milliseconds for a response. Default: the client's timeout. */
  timeoutMs?: number;
  /** Whether the request may be sent again if the outcome of the first attempt is unknown. */
  isIdempotent?: boolean;
}

interface Ask {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

export interface InternalAnswer {
  status: number;
  /** Names are lowercase. */
  headers: Record<string, string | string[] | undefined>;
  content: Buffer;
}

/** Number of pools, used in rotation. Each may be connected to a different replica. */
const POOLS = 4;
/** Timeout of operations in milliseconds. Long enough to change an agent, which recompiles the entire catalog. */
const OPERATION_TIMEOUT_MS = 10_000;
/** Statuses of a service that is unavailable. Another replica may be available. */
const AWAY = new Set([502, 503, 504]);
/** Statuses of problems caused by the caller. They are passed on; all others become 503. */
const PASSED_ON = new Set([400, 404, 409, 412, 413, 422, 429]);

const seconds = new Histogram({
  name: 'agent_traffic_internal_request_seconds',
  help: 'Time of a call to another service; outcome: ok, or the problem type',
  labelNames: ['service', 'outcome'],
  buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
});

/** Client for the HTTP interface of another service of ours. */
export class InternalClient {
  private readonly pools: RenewedPool[];
  private turn = 0;
  private readonly timeoutMs: number;

  constructor(private readonly options: InternalClientOptions) {
    const { url, timeoutMs = 2_000, renewAfterMs = 30_000, connections = 64, resolve } = options;
    this.timeoutMs = timeoutMs;
    const each = { connections: Math.ceil(connections / POOLS), renewAfterMs, connectTimeoutMs: timeoutMs, resolve };
    this.pools = Array.from({ length: POOLS }, () => new RenewedPool(url, each));
  }

  /**
   * Sends a request.
   *
   * @returns the parsed JSON of the response, or undefined if it has no content.
   * @throws ProblemError The service's own problem if the caller caused it, 503 if the service is unavailable or fails,
   * 504 after the timeout.
   */
  async request<T>(request: InternalRequest): Promise<T> {
    return this.ask(request, ({ content }) => (content.length === 0 ? undefined : JSON.parse(content.toString())) as T);
  }

  /** Like {@link request}, but returns the raw response, for content that isn't JSON. */
  async exchange(request: InternalRequest): Promise<InternalAnswer> {
    return this.ask(request, (answer) => answer);
  }

  /** Calls an operation. Returns and throws like {@link request}. */
  call<T>({ method, path, params, query, body }: Operation, ask: Ask): Promise<T> {
    const names = Object.keys(params ?? {});
    const filled = names.reduce(
      (text, name) => text.replace(`{${name}}`, encodeURIComponent(ask.params![name]!)),
      path,
    );
    const search = new URLSearchParams();
    for (const name of Object.keys(query ?? {})) {
      for (const value of [ask.query![name] ?? []].flat()) search.append(name, String(value));
    }
    return this.request({
      method: method.toUpperCase() as InternalRequest['method'],
      path: search.size === 0 ? filled : `${filled}?${search}`,
      ...(body !== undefined && { body: ask.body }),
      timeoutMs: OPERATION_TIMEOUT_MS,
      // A conditional PUT can't be retried: if the first attempt succeeded, the second fails with a version conflict.
      isIdempotent: method === 'get' || (method === 'put' && requestContext.get()?.ifMatch === undefined),
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.close()));
  }

  private async ask<T>(request: InternalRequest, read: (answer: InternalAnswer) => T): Promise<T> {
    const signal = AbortSignal.timeout(request.timeoutMs ?? this.timeoutMs);
    const stop = seconds.startTimer({ service: this.options.service });
    try {
      const answer = read(await this.send(request, signal));
      stop({ outcome: 'ok' });
      return answer;
    } catch (error) {
      const problem = this.problemOf(error, signal);
      stop({ outcome: problem.type });
      throw problem;
    }
  }

  private async send(request: InternalRequest, signal: AbortSignal): Promise<InternalAnswer> {
    const connections = this.pools[this.turn++ % POOLS]!;
    const pool = connections.current();
    try {
      return await this.sendOnce(pool, request, signal);
    } catch (error) {
      if (!isAway(error)) throw error;
      const fresh = connections.insteadOf(pool);
      if (request.isIdempotent !== true || signal.aborted) throw error;
      return this.sendOnce(fresh, request, signal);
    }
  }

  private async sendOnce(pool: Pool, request: InternalRequest, signal: AbortSignal): Promise<InternalAnswer> {
    const { method, path, body, json = body === undefined ? undefined : JSON.stringify(body) } = request;
    const answer = await pool.request({
      method,
      path,
      headers: this.headers(json !== undefined),
      ...(json !== undefined && { body: json }),
      signal,
    });
    const { statusCode: status, headers } = answer;
    const content = Buffer.from(await answer.body.arrayBuffer());
    if (status >= 300) throw new AnswerError(status, content.toString());
    return { status, headers, content };
  }

  private headers(hasBody: boolean): Record<string, string> {
    const context = requestContext.get();
    return {
      authorization: `Bearer ${this.options.secret}`,
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(context !== undefined && { 'x-request-id': context.requestId, traceparent: context.traceparent }),
      ...(context?.ifMatch !== undefined && { 'if-match': context.ifMatch }),
      ...(context?.actor !== undefined && { [ACTOR_HEADER]: writeActor(context.actor) }),
    };
  }

  private problemOf(error: unknown, signal: AbortSignal): ProblemError {
    if (signal.aborted)
      return new ProblemError('deadline-exceeded', 'The answer took too long. Try again.', { cause: error });
    if (!(error instanceof AnswerError) || !PASSED_ON.has(error.status)) {
      return unavailable('This cannot be answered right now. Try again in a moment.', error);
    }
    const problem = error.problem;
    const type = problem.type?.split('#')[1] ?? '';
    if (!Object.hasOwn(PROBLEMS, type))
      return unavailable('This cannot be answered right now. Try again in a moment.', error);
    return new ProblemError(type as ProblemType, problem.detail ?? '', {
      ...(problem.errors && { errors: problem.errors }),
      ...(problem.current !== undefined && { current: problem.current }),
      cause: error,
    });
  }
}

class AnswerError extends Error {
  override name = 'AnswerError';

  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(`answered ${status}: ${text.slice(0, 200)}`);
  }

  get problem(): Partial<Problem> {
    try {
      return JSON.parse(this.text) as Partial<Problem>;
    } catch {
      return {};
    }
  }
}

/** Returns true if the service was unreachable, the connection failed, or the status is one of {@link AWAY}. */
const isAway = (error: unknown): boolean =>
  error instanceof AnswerError
    ? AWAY.has(error.status)
    : error instanceof loadUndici().errors.UndiciError || (error as NodeJS.ErrnoException).code !== undefined;
