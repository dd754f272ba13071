import type { Settings } from './options.js';

/** An answer of the instance, or none. */
export class InstanceError extends Error {
  override readonly name = 'InstanceError';

  constructor(
    message: string,
    /** Null when nothing answered in time. */
    readonly status: number | null,
    /** Milliseconds that the instance asks to wait; undefined when it does not. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.status === null || this.status >= 500 || [408, 409, 425, 429].includes(this.status);
  }
}

export interface PostOptions {
  headers?: Record<string, string> | undefined;
  timeoutMs?: number | undefined;
  /** Gives up early. */
  signal?: AbortSignal | undefined;
}

/** Characters of an error's text that are told. */
const MAX_DETAIL = 200;

/** What the instance answers, read to its end. */
export interface Answer {
  headers: Headers;
  text: string;
}

/**
 * Posts JSON to an operation of the instance.
 *
 * @param body packed already, if its headers say so.
 * @throws InstanceError unless the answer is 2xx.
 */
export async function post(
  { fetch, url, token, timeoutMs: ofClient }: Settings,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  { headers, timeoutMs = ofClient, signal }: PostOptions = {},
): Promise<Answer> {
  // Not AbortSignal.any: in older versions of Node.js, what lives as long as the client would remember every request.
  const controller = new AbortController();
  const giveUp = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  if (signal?.aborted) giveUp();
  signal?.addEventListener('abort', giveUp);
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body,
      // A redirect would make a GET of it.
      redirect: 'manual',
      signal: controller.signal,
    });
    const text = await response.text();
    if (response.ok) return { headers: response.headers, text };
    throw new InstanceError(
      `${path} was answered with ${response.status}: ${text.slice(0, MAX_DETAIL)}`,
      response.status,
      retryAfter(response.headers.get('retry-after')),
    );
  } catch (error) {
    if (error instanceof InstanceError) throw error;
    throw new InstanceError(`${path} was not answered: ${String(error)}`, null, undefined, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Longer than this, nobody waits: the instance may be back earlier than it thought. */
const MAX_RETRY_AFTER_MS = 300_000;

/** RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.min(Math.max(milliseconds, 0), MAX_RETRY_AFTER_MS);
}
