import type { Settings } from './options.js';

export class InstanceError extends Error {
  override readonly name = 'InstanceError';

  constructor(
    message: string,
    /** HTTP status code, or null if no response was received. */
    readonly status: number | null,
    /** Delay from the Retry-After header, if present. Capped at 5 minutes. */
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

/** Maximum length of the response body excerpt in an error message. */
const MAX_DETAIL_LENGTH = 200;

export interface PostResponse {
  headers: Headers;
  text: string;
}

/**
 * Sends a POST request with a JSON body to the instance.
 *
 * @param body JSON text, compressed according to the Content-Encoding in `headers`.
 * @throws {InstanceError} if the request fails or the response status isn't 2xx.
 */
export async function post(
  { fetch, url, token, timeoutMs: defaultTimeoutMs }: Settings,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  { headers, timeoutMs = defaultTimeoutMs, signal }: PostOptions = {},
): Promise<PostResponse> {
  // Don't use AbortSignal.any() here: in older Node.js versions, a long-lived signal retains a reference to every
  // request.
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
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
      `POST ${path} returned ${response.status}: ${text.slice(0, MAX_DETAIL_LENGTH)}`,
      response.status,
      parseRetryAfter(response.headers.get('retry-after')),
    );
  } catch (error) {
    if (error instanceof InstanceError) throw error;
    throw new InstanceError(`POST ${path} failed: ${String(error)}`, null, undefined, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Maximum delay that a Retry-After header can cause, because the instance may recover sooner than it announced. */
const MAX_RETRY_AFTER_MS = 300_000;

/** Returns the Retry-After delay in milliseconds. The header contains seconds or a date (RFC 9110, section 10.2.3). */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.min(Math.max(milliseconds, 0), MAX_RETRY_AFTER_MS);
}
