import { Histogram } from 'prom-client';
import type { Pool } from 'undici';
import type { Operation, Problem } from '#libs/contracts';
import { PROBLEMS, ProblemError, unavailable, type ProblemType } from '../problem.js';
import { requestContext } from '../request-context.js';
import { ACTOR_HEADER, encodeActor } from './internal-access.js';
import { loadUndici, RenewedPool, type Resolve } from './renewed-pool.js';

export interface InternalClientOptions {
  service: string;
  /** Base URL, such as `http://host:port`. */
  url: string;
  /** INTERNAL_API_SECRET, which all services share. */
  secret: string;
  /** Response timeout in milliseconds, including a retry. Default: 2000. */
  timeoutMs?: number;
  /**
   * Time until connections are renewed, in milliseconds. They are renewed because only new connections reach new
   * replicas. Default: 30000.
   */
  renewAfterMs?: number;
  connections?: number;
  /** Default: the system's DNS lookup. */
  resolve?: Resolve;
}

export interface InternalRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Serialized body, which replaces `body`. */
  json?: string;
  /** Response timeout in milliseconds. Default: the client's timeout. */
  timeoutMs?: number;
  /** Whether the request can be sent again if the outcome of the first attempt is unknown. */
  isIdempotent?: boolean;
}

interface OperationInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

export interface InternalResponse {
  status: number;
  /** Header names are lowercase. */
  headers: Record<string, string | string[] | undefined>;
  content: Buffer;
}

/** Number of pools to rotate through. Each may be connected to a different replica. */
const POOL_COUNT = 4;
/** Operation timeout in milliseconds. Changing an agent takes long because the entire catalog is recompiled. */
const OPERATION_TIMEOUT_MS = 10_000;
/** Statuses of an unavailable service. Another replica may be available. */
const UNAVAILABLE_STATUSES = new Set([502, 503, 504]);
/** Statuses of problems that the caller caused. These problems are forwarded, and all others become 503. */
const FORWARDED_STATUSES = new Set([400, 404, 409, 412, 413, 422, 429]);

const requestSeconds = new Histogram({
  name: 'agent_traffic_internal_request_seconds',
  help: 'Duration of calls to other services. outcome: ok or the problem type',
  labelNames: ['service', 'outcome'],
  buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
});

export class InternalClient {
  private readonly pools: RenewedPool[];
  private nextPool = 0;
  private readonly timeoutMs: number;

  constructor(private readonly options: InternalClientOptions) {
    const { url, timeoutMs = 2_000, renewAfterMs = 30_000, connections: renewedPool = 64, resolve } = options;
    this.timeoutMs = timeoutMs;
    const poolOptions = {
      connections: Math.ceil(renewedPool / POOL_COUNT),
      renewAfterMs,
      connectTimeoutMs: timeoutMs,
      resolve,
    };
    this.pools = Array.from({ length: POOL_COUNT }, () => new RenewedPool(url, poolOptions));
  }

  /**
   * Sends a request.
   *
   * @returns The parsed JSON response, or undefined if it has no content.
   * @throws {ProblemError} The service's own problem if the caller caused it, 503 if the service is unavailable or
   *   fails, or 504 after the timeout.
   */
  async request<T>(request: InternalRequest): Promise<T> {
    return this.requestAndRead(
      request,
      ({ content }) => (content.length === 0 ? undefined : JSON.parse(content.toString())) as T,
    );
  }

  /** Like {@link request}, but returns the raw response, for content other than JSON. */
  async exchange(request: InternalRequest): Promise<InternalResponse> {
    return this.requestAndRead(request, (response) => response);
  }

  /** Calls an operation. Returns and throws like {@link request}. */
  call<T>({ method, path, params, query, body }: Operation, input: OperationInput): Promise<T> {
    const names = Object.keys(params ?? {});
    const filledPath = names.reduce(
      (text, name) => text.replace(`{${name}}`, encodeURIComponent(input.params![name]!)),
      path,
    );
    const searchParams = new URLSearchParams();
    for (const name of Object.keys(query ?? {})) {
      for (const value of [input.query![name] ?? []].flat()) searchParams.append(name, String(value));
    }
    return this.request({
      method: method.toUpperCase() as InternalRequest['method'],
      path: searchParams.size === 0 ? filledPath : `${filledPath}?${searchParams}`,
      ...(body !== undefined && { body: input.body }),
      timeoutMs: OPERATION_TIMEOUT_MS,
      // A conditional PUT can't be retried. If the first attempt succeeded, the second one would fail with a version
      // conflict.
      isIdempotent: method === 'get' || (method === 'put' && requestContext.get()?.ifMatch === undefined),
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.close()));
  }

  private async requestAndRead<T>(request: InternalRequest, read: (response: InternalResponse) => T): Promise<T> {
    const signal = AbortSignal.timeout(request.timeoutMs ?? this.timeoutMs);
    const stopTimer = requestSeconds.startTimer({ service: this.options.service });
    try {
      const response = read(await this.send(request, signal));
      stopTimer({ outcome: 'ok' });
      return response;
    } catch (error) {
      const problem = this.toProblem(error, signal);
      stopTimer({ outcome: problem.type });
      throw problem;
    }
  }

  private async send(request: InternalRequest, signal: AbortSignal): Promise<InternalResponse> {
    const renewedPool = this.pools[this.nextPool++ % POOL_COUNT]!;
    const pool = renewedPool.current();
    try {
      return await this.sendOnce(pool, request, signal);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const freshPool = renewedPool.replaceFailed(pool);
      if (request.isIdempotent !== true || signal.aborted) throw error;
      return this.sendOnce(freshPool, request, signal);
    }
  }

  private async sendOnce(pool: Pool, request: InternalRequest, signal: AbortSignal): Promise<InternalResponse> {
    const { method, path, body, json = body === undefined ? undefined : JSON.stringify(body) } = request;
    const response = await pool.request({
      method,
      path,
      headers: this.headers(json !== undefined),
      ...(json !== undefined && { body: json }),
      signal,
    });
    const { statusCode: status, headers } = response;
    const content = Buffer.from(await response.body.arrayBuffer());
    if (status >= 300) throw new ResponseError(status, content.toString());
    return { status, headers, content };
  }

  private headers(hasBody: boolean): Record<string, string> {
    const context = requestContext.get();
    return {
      authorization: `Bearer ${this.options.secret}`,
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(context !== undefined && { 'x-request-id': context.requestId, traceparent: context.traceparent }),
      ...(context?.ifMatch !== undefined && { 'if-match': context.ifMatch }),
      ...(context?.actor !== undefined && { [ACTOR_HEADER]: encodeActor(context.actor) }),
    };
  }

  private toProblem(error: unknown, signal: AbortSignal): ProblemError {
    if (signal.aborted)
      return new ProblemError('deadline-exceeded', 'The response took too long. Try again.', { cause: error });
    if (!(error instanceof ResponseError) || !FORWARDED_STATUSES.has(error.status)) {
      return unavailable('A service is temporarily unavailable. Try again in a moment.', error);
    }
    const problem = error.problem;
    const type = problem.type?.split('#')[1] ?? '';
    if (!Object.hasOwn(PROBLEMS, type))
      return unavailable('A service is temporarily unavailable. Try again in a moment.', error);
    return new ProblemError(type as ProblemType, problem.detail ?? '', {
      ...(problem.errors && { errors: problem.errors }),
      ...(problem.current !== undefined && { current: problem.current }),
      cause: error,
    });
  }
}

class ResponseError extends Error {
  override name = 'AnswerError';

  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(`responded with ${status}: ${text.slice(0, 200)}`);
  }

  get problem(): Partial<Problem> {
    try {
      return JSON.parse(this.text) as Partial<Problem>;
    } catch {
      return {};
    }
  }
}

/** Returns true if the service was unreachable, the connection failed, or the status is in {@link UNAVAILABLE_STATUSES}. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof ResponseError
    ? UNAVAILABLE_STATUSES.has(error.status)
    : error instanceof loadUndici().errors.UndiciError || (error as NodeJS.ErrnoException).code !== undefined;
