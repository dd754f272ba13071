import { Agent, fetch, type Headers, type Response } from 'undici';
import type { Problem } from '#libs/contracts';
import { productVersion } from '#libs/platform/version';
import { CliError, ConnectionError, HttpError, parseRetryAfter } from './cli-error.js';
import { visible } from './terminal-text.js';

/** Milliseconds until an answer has to be there. */
const TIMEOUT_MS = 30_000;

export type Query = Record<string, string | number | string[] | undefined>;

export interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Bearer credential; the API key unless given, none if null. */
  credential?: string | null | undefined;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Talks to a running instance over HTTP. Whatever goes wrong is thrown as a {@link CliError} that says what to do. */
export class InstanceClient {
  // Streams are silent for long; their reader watches over them.
  private readonly dispatcher = new Agent({ bodyTimeout: 0 });

  constructor(
    readonly url: string,
    private readonly apiKey?: string,
  ) {}

  async get<T>(path: string, query: Query = {}): Promise<T> {
    return this.parse(await this.send(path + queryString(query)));
  }

  async post<T>(path: string, body: unknown, credential?: string): Promise<T> {
    return this.parse(await this.sendJson('POST', path, body, credential));
  }

  /** As {@link post}, for the bytes of an answer of this type as they came. */
  async postForBytes(path: string, body: unknown, mediaType: string, credential: string): Promise<Buffer> {
    const headers = { 'content-type': 'application/json', accept: mediaType };
    const options = { method: 'POST', headers, body: JSON.stringify(body), credential };
    return this.withinDeadline(path, options, async (response) => {
      if (response.headers.get('content-type')?.split(';')[0]?.trim() !== mediaType) throw this.noInstance();
      return Buffer.from(await response.arrayBuffer());
    });
  }

  async put<T>(path: string, body: unknown): Promise<T> {
    return this.parse(await this.sendJson('PUT', path, body));
  }

  async patch<T>(path: string, body: unknown): Promise<T> {
    return this.parse(await this.sendJson('PATCH', path, body));
  }

  async delete(path: string): Promise<void> {
    await this.send(path, { method: 'DELETE' });
  }

  private sendJson(method: string, path: string, body: unknown, credential?: string): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return this.send(path, { method, headers, body: JSON.stringify(body), credential });
  }

  /** @throws HttpError for any status but 2xx, ConnectionError when there is no whole answer by the deadline. */
  async send(path: string, options: SendOptions = {}): Promise<Answer> {
    return this.withinDeadline(path, options, async (response) => {
      return { status: response.status, headers: response.headers, text: await response.text() };
    });
  }

  /** As {@link send}, for an answer that goes on: only its start has a deadline, `signal` ends it. */
  async stream(path: string, options: SendOptions = {}): Promise<AsyncIterable<Uint8Array>> {
    return this.withinDeadline(path, options, async (response) => response.body ?? new ReadableStream());
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

/** The audit log tells by it what the command line changes. */
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

export function queryString(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) parameters.append(name, String(item));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
