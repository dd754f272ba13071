import { RequestWindow } from './request-window.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

export type SendOutcome =
  /** All visits were recorded except the `rejected` ones. An earlier import had already recorded the `repeated` ones. */
  | { kind: 'accepted'; rejected: number; repeated: number }
  /** The request is larger than the instance or a proxy accepts. */
  | { kind: 'too-large'; reason: string }
  | { kind: 'refused'; reason: string };

export interface FailedRequest {
  /** Null if there was no response. */
  status: number | null;
  message: string;
  /** Delay that the instance requested, in milliseconds. */
  retryAfter?: number | undefined;
}

interface SenderOptions {
  /**
   * Sends a compressed body to `POST /visits` and returns the response headers.
   *
   * @throws an error that `failedRequest` recognizes if the status isn't 2xx.
   */
  send: (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) => Promise<ResponseHeaders>;
  /** Returns details about a failed request, or null for other errors. */
  failedRequest: (error: unknown) => FailedRequest | null;
  /** Compresses a body with gzip. */
  pack: (body: string) => Promise<Uint8Array<ArrayBuffer>>;
  /** Creates the error to throw when the retry period is over. By default, the last error is thrown. */
  createTimeoutError?: (error: unknown, retryFor: number) => Error;
  /** Retry period in milliseconds. It restarts whenever another request succeeds. */
  retryPeriodMs: number;
  /** Maximum number of in-flight requests. It's reduced while the instance rejects requests due to load. */
  concurrency: number;
  /** Aborting stops waiting and retrying. In-flight requests are still completed. */
  signal: AbortSignal;
  onWait: (reason: string, milliseconds: number) => void;
  now?: () => number;
}

export interface ResponseHeaders {
  get(name: string): string | null;
}

/** Posts batches of visits and retries after transient failures. */
export class VisitSender {
  private readonly window: RequestWindow;
  private succeededAt = 0;

  constructor(private readonly options: SenderOptions) {
    this.window = new RequestWindow(options.concurrency, (error) =>
      [429, 503].includes(options.failedRequest(error)?.status ?? 0),
    );
  }

  /**
   * @param body JSON array of visits.
   * @param identity Headers that make the request safe to repeat.
   * @throws the error from `send` if retrying can't help, such as after a 401, or the error from `createTimeoutError` once the
   * retry period is over.
   */
  async post(body: string, identity: Record<string, string>): Promise<SendOutcome> {
    const {
      failedRequest,
      createTimeoutError: givenUp,
      retryPeriodMs: retryFor,
      signal,
      onWait,
      now = Date.now,
    } = this.options;
    const bytes = await this.options.pack(body);
    let failingSince: number | undefined;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const outcome = await this.window.run(() => this.attempt(bytes, identity));
        this.succeededAt = now();
        return outcome;
      } catch (error) {
        const failed = failedRequest(error);
        if (signal.aborted || failed === null || !isTransient(failed)) throw error;
        failingSince ??= now();
        const wait = failed.retryAfter ?? backOff(attempt);
        const remaining = Math.max(failingSince, this.succeededAt) + retryFor - now();
        if (wait > remaining) throw givenUp?.(error, retryFor) ?? error;
        onWait(failed.message, wait);
        await sleep(wait, signal);
      }
    }
  }

  private async attempt(body: Uint8Array<ArrayBuffer>, identity: Record<string, string>): Promise<SendOutcome> {
    const { send, failedRequest, signal } = this.options;
    signal.throwIfAborted();
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', ...identity };
    try {
      const response = await send(body, headers);
      return {
        kind: 'accepted',
        rejected: Number(response.get('x-visits-rejected') ?? 0) || 0,
        repeated: Number(response.get('x-visits-repeated') ?? 0) || 0,
      };
    } catch (error) {
      const failed = failedRequest(error);
      if (failed === null) throw error;
      const { status, message } = failed;
      if (status === 413) return { kind: 'too-large', reason: message };
      if (status === 422 || status === 400) return { kind: 'refused', reason: message };
      throw error;
    }
  }
}

/**
 * Returns true if a retry may succeed. Transient failures are missing responses, rate limits, conflicts with an earlier
 * attempt, and server errors.
 */
const isTransient = ({ status }: FailedRequest): boolean =>
  status === null || status >= 500 || [408, 409, 425, 429].includes(status);

const backOff = (attempt: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 2);

/** Rejects with the signal's reason if the signal is aborted. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
