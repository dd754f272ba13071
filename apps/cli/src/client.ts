import { Agent, fetch, type Headers, type Response } from 'undici';
import type { Problem } from '#libs/contracts';
import { productVersion } from '#libs/platform/version';
import { CliError, ConnectionError, HttpError, parseRetryAfter } from './cli-error.js';
import type { ContentOf, InputOf, PathWith, Query, RequestInput } from './operation-types.js';
import { visible } from './terminal-text.js';

const TIMEOUT_MS = 30_000;

export interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Bearer credential. Null: none. Default: the API key. */
  credential?: string | null | undefined;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** HTTP client of a running instance. Throws every failure as a {@link CliError} with advice. */
export class InstanceClient {
  // Event streams can be silent for a long time. Their reader has a timeout.
  private readonly dispatcher = new Agent({ bodyTimeout: 0 });

  constructor(
    readonly url: string,
    private readonly apiKey?: string,
  ) {}

  async get<P extends PathWith<'get'>>(path: P, ...[input]: InputOf<'get', P>): Promise<ContentOf<'get', P>> {
    return this.json('GET', path, input);
  }

  async post<P extends PathWith<'post'>>(path: P, ...[input]: InputOf<'post', P>): Promise<ContentOf<'post', P>> {
    return this.json('POST', path, input);
  }

  async put<P extends PathWith<'put'>>(path: P, ...[input]: InputOf<'put', P>): Promise<ContentOf<'put', P>> {
    return this.json('PUT', path, input);
  }

  async patch<P extends PathWith<'patch'>>(path: P, ...[input]: InputOf<'patch', P>): Promise<ContentOf<'patch', P>> {
    return this.json('PATCH', path, input);
  }

  async delete<P extends PathWith<'delete'>>(path: P, ...[input]: InputOf<'delete', P>): Promise<void> {
    await this.send(addressOf(path, input), { method: 'DELETE' });
  }

  /** Like {@link post}, but returns the response body as bytes. @throws CliError for any other media type. */
  async postForBytes<P extends PathWith<'post'>>(
    path: P,
    { credential, mediaType }: { credential: string; mediaType: string },
    ...[input]: InputOf<'post', P>
  ): Promise<Buffer> {
    const options = { ...requestOf('POST', input), credential };
    options.headers = { ...options.headers, accept: mediaType };
    return this.withinDeadline(addressOf(path, input), options, async (response) => {
      if (response.headers.get('content-type')?.split(';')[0]?.trim() !== mediaType) throw this.noInstance();
      return Buffer.from(await response.arrayBuffer());
    });
  }

  /**
   * @throws HttpError for any status other than 2xx, ConnectionError if the response isn't complete by the deadline.
   */
  async send(path: string, options: SendOptions = {}): Promise<Answer> {
    return this.withinDeadline(path, options, async (response) => {
      return { status: response.status, headers: response.headers, text: await response.text() };
    });
  }

  /** Streams the response body. Only the response headers have a deadline. Aborting `signal` ends the stream. */
  async stream<P extends PathWith<'get'>>(
    path: P,
    { accept, signal }: { accept: string; signal?: AbortSignal },
    ...[input]: InputOf<'get', P>
  ): Promise<AsyncIterable<Uint8Array>> {
    const options = requestOf('GET', input);
    options.headers = { ...options.headers, accept };
    if (signal) options.signal = signal;
    return this.withinDeadline(addressOf(path, input), options, async ({ body }) => body ?? new ReadableStream());
  }

  private async json<T>(method: string, path: string, input: RequestInput | undefined): Promise<T> {
    return this.parse(await this.send(addressOf(path, input), requestOf(method, input)));
  }

  private async withinDeadline<T>(path: string, options: SendOptions, read: (response: Response) => Promise<T>) {
    const credential = options.credential === undefined ? this.apiKey : options.credential;
    if (credential === undefined) throw missingApiKey();
    const authorization = credential === null ? {} : { authorization: `Bearer ${credential}` };
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`)), TIMEOUT_MS);
    try {
      const response = await fetch(this.url + path, {
        method: options.method ?? 'GET',
        headers: { accept: 'application/json', 'user-agent': userAgent(), ...options.headers, ...authorization },
        body: options.body ?? null,
        signal: options.signal ? AbortSignal.any([deadline.signal, options.signal]) : deadline.signal,
        dispatcher: this.dispatcher,
        redirect: 'manual',
      });
      if (!response.ok) throw await refusal(response, this.url + path);
      return await read(response);
    } catch (error) {
      if (error instanceof CliError || options.signal?.aborted) throw error;
      throw this.unreachable(error);
    } finally {
      clearTimeout(timer);
    }
  }

  private parse<T>({ text }: Answer): T {
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      throw this.noInstance(error);
    }
  }

  private noInstance(cause?: unknown): CliError {
    return new CliError(`The server at ${this.url} is not an Agent Traffic instance.`, {
      hint: 'Set AGENT_TRAFFIC_URL to the address of the instance.',
      cause,
    });
  }

  private unreachable(error: unknown): ConnectionError {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : String(cause);
    return new ConnectionError(`No Agent Traffic instance answers at ${this.url} (${reason || 'connection failed'}).`, {
      hint: 'Start it with "npm start", or set AGENT_TRAFFIC_URL to its address.',
      cause: error,
    });
  }
}

/** The audit log uses the User-Agent to mark changes made on the command line. */
const userAgent = (): string => `agent-traffic/${productVersion()}`;

async function refusal(response: Response, address: string): Promise<HttpError> {
  const problem = parseProblem(await response.text());
  const what = problem.detail ?? problem.title ?? `${response.statusText || 'an unexpected answer'} from ${address}`;
  const faults = (problem.errors ?? []).slice(0, 5).map(({ pointer, detail }) => `\n  ${pointer || '/'} ${detail}`);
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'));
  const message = visible(`${response.status}: ${what}${faults.join('')}`, '\n');
  return new HttpError(
    response.status,
    problem,
    message,
    hintFor(response.status, new URL(address).pathname),
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

function hintFor(status: number, path: string): { hint?: string } {
  const isConsole = path.includes('/api/');
  if (status === 401 && isConsole) {
    return { hint: 'Set AGENT_TRAFFIC_API_KEY to a valid API key (agk_…), or DATA_DIR to the folder of the instance.' };
  }
  if (status === 401) return { hint: "Set AGENT_TRAFFIC_TOKEN to one of the project's unrevoked tokens (agt_…)." };
  if (status === 403 && isConsole)
    return { hint: 'Use an API key with admin rights, or one that was made for this project.' };
  if (status >= 300 && status < 400)
    return { hint: 'Set AGENT_TRAFFIC_URL to the address that this one redirects to.' };
  return {};
}

function missingApiKey(): CliError {
  return new CliError('No API key is known.', {
    hint:
      'Start the instance with "npm start" and run this in the same folder (or with its DATA_DIR); ' +
      'for an instance elsewhere, set AGENT_TRAFFIC_URL and AGENT_TRAFFIC_API_KEY (agk_…).',
  });
}

function addressOf(path: string, { params: { path: values = {}, query = {} } = {} }: RequestInput = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!)) + queryString(query);
}

function requestOf(method: string, { params, body }: RequestInput = {}): SendOptions {
  const given = Object.entries(params?.header ?? {}).filter(
    (header): header is [string, string] => header[1] !== undefined,
  );
  const headers = Object.fromEntries(given);
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
