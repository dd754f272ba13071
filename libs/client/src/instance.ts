import type { Settings } from './options.js';

export class InstanceError extends Error {
  override readonly name = 'InstanceError';

  constructor(
    message: string,
    /** HTTP status, or null if no response arrived. */
    readonly status: number | null,
    /** Delay from the Retry-After header, if there is one. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get isTransient(): boolean {
    return this.status === null || this.status >= 500 || [408, 409, 425, 429].includes(this.status);
  }
}

export interface PostOptions {
  headers?: Record<string, string> | undefined;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Maximum number of characters of an error response to include in the message. */
const MAX_DETAIL = 200;

export interface Answer {
  headers: Headers;
  text: string;
}

/**
 * Posts JSON to an endpoint of the instance.
 *
 * @param body JSON, compressed if `headers` has a Content-Encoding.
 * @throws InstanceError unless the response is 2xx.
 */
export async function post(
  { fetch, url, token, timeoutMs: ofClient }: Settings,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  { headers, timeoutMs = ofClient, signal }: PostOptions = {},
): Promise<Answer> {
  // AbortSignal.any() would leak: in older Node.js versions, a long-lived signal keeps a reference to every request.
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
      // Following a redirect could turn the POST into a GET.
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

/** Upper limit for Retry-After, because the instance may recover earlier than it expects. */
const MAX_RETRY_AFTER_MS = 300_000;

/** Parses a Retry-After header: seconds or a date (RFC 9110 section 10.2.3). Returns milliseconds. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.min(Math.max(milliseconds, 0), MAX_RETRY_AFTER_MS);
}
