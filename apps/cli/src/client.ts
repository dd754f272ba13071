import type { Problem } from '#libs/contracts';
import { getProductVersion } from '#libs/platform/version';
import { CliError, ConnectionError, HttpError, parseRetryAfter } from './cli-error.js';
import type { ResponseBody, RequestArgs, PathFor, Query, RequestInput } from './operation-types.js';
import { escapeInvisible } from './terminal-text.js';

const TIMEOUT_MS = 30_000;
/**
 * Maximum time without data within a response. Event streams contain a comment every 15 seconds. The time doesn't count
 * while the reader is slow.
 */
const IDLE_TIMEOUT_MS = 60_000;

export interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Bearer credential, or null to send none. Default: the API key. */
  credential?: string | null | undefined;
  signal?: AbortSignal;
}

export interface TextResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** HTTP client for a running instance. Every failure is a {@link CliError}, usually with a hint. */
export class InstanceClient {
  constructor(
    readonly url: string,
    private readonly apiKey?: string,
    private readonly idleTimeoutMs = IDLE_TIMEOUT_MS,
  ) {}

  async get<P extends PathFor<'get'>>(path: P, ...[input]: RequestArgs<'get', P>): Promise<ResponseBody<'get', P>> {
    return this.requestJson('GET', path, input);
  }

  async post<P extends PathFor<'post'>>(path: P, ...[input]: RequestArgs<'post', P>): Promise<ResponseBody<'post', P>> {
    return this.requestJson('POST', path, input);
  }

  async put<P extends PathFor<'put'>>(path: P, ...[input]: RequestArgs<'put', P>): Promise<ResponseBody<'put', P>> {
    return this.requestJson('PUT', path, input);
  }

  async patch<P extends PathFor<'patch'>>(
    path: P,
    ...[input]: RequestArgs<'patch', P>
  ): Promise<ResponseBody<'patch', P>> {
    return this.requestJson('PATCH', path, input);
  }

  async delete<P extends PathFor<'delete'>>(path: P, ...[input]: RequestArgs<'delete', P>): Promise<void> {
    await this.send(buildPath(path, input), { method: 'DELETE' });
  }

  /**
   * Like {@link post}, but returns the response body as bytes.
   *
   * @throws {CliError} if the response has a different media type.
   */
  async postForBytes<P extends PathFor<'post'>>(
    path: P,
    { credential, mediaType }: { credential: string; mediaType: string },
    ...[input]: RequestArgs<'post', P>
  ): Promise<Buffer> {
    const options = { ...toSendOptions('POST', input), credential };
    options.headers = { ...options.headers, accept: mediaType };
    return this.fetchWithTimeout(buildPath(path, input), options, async (response) => {
      if (response.headers.get('content-type')?.split(';')[0]?.trim() !== mediaType) throw this.notAnInstanceError();
      return Buffer.from(await response.arrayBuffer());
    });
  }

  /**
   * @throws {HttpError} if the status isn't 2xx.
   * @throws {ConnectionError} if the complete response doesn't arrive within 30 seconds.
   */
  async send(path: string, options: SendOptions = {}): Promise<TextResponse> {
    return this.fetchWithTimeout(path, options, async (response) => {
      return { status: response.status, headers: response.headers, text: await response.text() };
    });
  }

  /**
   * Streams the response body. Aborting `signal` ends the stream. The stream throws a {@link ConnectionError} if the
   * connection is lost, or if no data arrives for 60 seconds.
   */
  async stream<P extends PathFor<'get'>>(
    path: P,
    { accept, signal }: { accept: string; signal?: AbortSignal },
    ...[input]: RequestArgs<'get', P>
  ): Promise<AsyncIterable<Uint8Array>> {
    const options = toSendOptions('GET', input);
    options.headers = { ...options.headers, accept };
    if (signal) options.signal = signal;
    const body = await this.fetchWithTimeout(buildPath(path, input), options, async (response) => response.body);
    return this.readChunks(body, signal);
  }

  private async *readChunks(body: ReadableStream<Uint8Array> | null, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    if (body === null) return;
    const reader = body.getReader();
    try {
      for (;;) {
        const { done, value } = await this.withIdleTimeout(reader.read());
        if (done) return;
        yield value;
      }
    } catch (error) {
      if (signal?.aborted) throw error;
      // The error itself only says "terminated".
      throw new ConnectionError(getMessage((error as Error).cause ?? error), { cause: error });
    } finally {
      // Closes the connection if the reader stops early.
      reader.cancel().catch(() => undefined);
    }
  }

  private async withIdleTimeout<T>(reading: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const error = new Error(`the instance sent no data for ${this.idleTimeoutMs / 1_000} s`);
      timer = setTimeout(() => reject(error), this.idleTimeoutMs);
    });
    try {
      return await Promise.race([reading, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async requestJson<T>(method: string, path: string, input: RequestInput | undefined): Promise<T> {
    return this.parse(await this.send(buildPath(path, input), toSendOptions(method, input)));
  }

  private async fetchWithTimeout<T>(path: string, options: SendOptions, read: (response: Response) => Promise<T>) {
    const credential = options.credential === undefined ? this.apiKey : options.credential;
    if (credential === undefined) throw missingApiKeyError();
    const authorization = credential === null ? {} : { authorization: `Bearer ${credential}` };
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error(`no response within ${TIMEOUT_MS / 1_000} s`)), TIMEOUT_MS);
    try {
      const response = await fetch(this.url + path, {
        method: options.method ?? 'GET',
        headers: { accept: 'application/json', 'user-agent': userAgent(), ...options.headers, ...authorization },
        body: options.body ?? null,
        signal: options.signal ? AbortSignal.any([deadline.signal, options.signal]) : deadline.signal,
        redirect: 'manual',
      });
      if (!response.ok) throw await toHttpError(response, this.url + path);
      return await read(response);
    } catch (error) {
      if (error instanceof CliError || options.signal?.aborted) throw error;
      throw this.unreachableError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  private parse<T>({ text }: TextResponse): T {
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      throw this.notAnInstanceError(error);
    }
  }

  private notAnInstanceError(cause?: unknown): CliError {
    return new CliError(`The server at ${this.url} isn't an Agent Traffic instance.`, {
      hint: "Set AGENT_TRAFFIC_URL to the instance's URL.",
      cause,
    });
  }

  private unreachableError(error: unknown): ConnectionError {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return new ConnectionError(
      `Can't reach the Agent Traffic instance at ${this.url} (${getMessage(cause) || 'connection failed'}).`,
      {
        hint: 'Start it with "npm start". If it runs elsewhere, set AGENT_TRAFFIC_URL to its URL.',
        cause: error,
      },
    );
  }
}

const getMessage = (error: unknown): string =>
  error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);

/** Returns the User-Agent by which the audit log recognizes changes made with the CLI. */
const userAgent = (): string => `agent-traffic/${getProductVersion()}`;

async function toHttpError(response: Response, address: string): Promise<HttpError> {
  const problem = parseProblem(await response.text());
  const summary =
    problem.detail ?? problem.title ?? `${address} responded with an error: ${response.statusText || 'no details'}.`;
  const fieldErrors = (problem.errors ?? [])
    // The summary of a single error is often the error itself.
    .filter(({ detail }) => !summary.includes(detail))
    .slice(0, 5)
    .map(({ pointer, detail }) => `\n  ${pointer || '/'} ${detail}`);
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'));
  const message = escapeInvisible(`${summary}${fieldErrors.join('')}`, '\n');
  return new HttpError(
    response.status,
    problem,
    message,
    getHint(response.status, new URL(address).pathname, summary),
    retryAfter,
  );
}

function parseProblem(text: string): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Returns advice on a response, unless its summary already contains it. */
function getHint(status: number, path: string, summary: string): { hint?: string } {
  const isConsoleApi = path.includes('/api/');
  if (status === 401 && isConsoleApi) {
    return { hint: "Set AGENT_TRAFFIC_API_KEY to a valid API key (agk_…), or DATA_DIR to the instance's data folder." };
  }
  if (status === 401) return { hint: "Set AGENT_TRAFFIC_TOKEN to one of the project's active tokens (agt_…)." };
  if (status === 403 && isConsoleApi && !summary.includes('API key'))
    return { hint: 'Use an API key that has admin rights or can access this project.' };
  if (status >= 300 && status < 400) return { hint: 'Set AGENT_TRAFFIC_URL to the URL that this one redirects to.' };
  return {};
}

function missingApiKeyError(): CliError {
  return new CliError('No API key found.', {
    hint:
      'Start the instance with "npm start" and run this command in the same folder or with the same DATA_DIR. ' +
      'For a remote instance, set AGENT_TRAFFIC_URL and AGENT_TRAFFIC_API_KEY (agk_…).',
  });
}

function buildPath(path: string, { params: { path: values = {}, query = {} } = {} }: RequestInput = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!)) + queryString(query);
}

function toSendOptions(method: string, { params, body }: RequestInput = {}): SendOptions {
  const headerEntries = Object.entries(params?.header ?? {}).filter(
    (header): header is [string, string] => header[1] !== undefined,
  );
  const headers = Object.fromEntries(headerEntries);
  if (body === undefined) return { method, headers };
  return { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

function queryString(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) parameters.append(name, String(item));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
