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

export interface RequestOptions {
  headers?: Record<string, string> | undefined;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Maximum length of the response body excerpt in an error message. */
const MAX_DETAIL_LENGTH = 200;

export interface InstanceResponse {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends a POST request with a JSON body to the instance.
 *
 * @param body JSON text, compressed according to the Content-Encoding in `headers`.
 * @throws {InstanceError} if the request fails or the response status isn't 2xx.
 */
export const post = (
  settings: Settings,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  { headers, ...options }: RequestOptions = {},
): Promise<InstanceResponse> =>
  send(settings, 'POST', path, body, { ...options, headers: { 'content-type': 'application/json', ...headers } });

/**
 * Sends a GET request to the instance.
 *
 * @throws {InstanceError} if the request fails or the response status is neither 2xx nor 304.
 */
export const get = (settings: Settings, path: string, options: RequestOptions = {}): Promise<InstanceResponse> =>
  send(settings, 'GET', path, null, options);

async function send(
  { fetch, url, token, timeoutMs: defaultTimeoutMs }: Settings,
  method: 'GET' | 'POST',
  path: string,
  body: string | Uint8Array<ArrayBuffer> | null,
  { headers, timeoutMs = defaultTimeoutMs, signal }: RequestOptions,
): Promise<InstanceResponse> {
  // Don't use AbortSignal.any() here: in older Node.js versions, a long-lived signal retains a reference to every
  // request.
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== null && { body }),
      // Following a redirect could turn a POST into a GET.
      redirect: 'manual',
      signal: controller.signal,
    });
    const text = await response.text();
    const { status } = response;
    if (response.ok || status === 304) return { status, headers: response.headers, text };
    throw new InstanceError(
      `${method} ${path} returned ${status}: ${text.slice(0, MAX_DETAIL_LENGTH)}`,
      status,
      parseRetryAfter(response.headers.get('retry-after')),
    );
  } catch (error) {
    if (error instanceof InstanceError) throw error;
    throw new InstanceError(`${method} ${path} failed: ${String(error)}`, null, undefined, { cause: error });
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
