import { RequestWindow } from './request-window.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

export type SendOutcome =
  /** The visits were recorded, except `rejected` ones. `repeated` ones were already recorded by an earlier import. */
  | { kind: 'accepted'; rejected: number; repeated: number }
  /** The request is larger than the instance, or a proxy in front of it, accepts. */
  | { kind: 'too-large'; reason: string }
  | { kind: 'refused'; reason: string };

export interface FailedRequest {
  /** Null if there was no response. */
  status: number | null;
  message: string;
  /** Delay in milliseconds that the instance asked for. */
  retryAfter?: number | undefined;
}

interface SenderOptions {
  /**
   * Sends a compressed body to `POST /visits`.
   *
   * @returns the response headers.
   * @throws an error for `failedRequest` if the status isn't 2xx.
   */
  send: (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) => Promise<AnswerHeaders>;
  /** Returns null for errors other than failed requests. */
  failedRequest: (error: unknown) => FailedRequest | null;
  /** Compresses a body with gzip. */
  pack: (body: string) => Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the error to throw after retrying for `retryFor`. Never called if `retryFor` is infinite. */
  givenUp?: (error: unknown, retryFor: number) => Error;
  /** Milliseconds to retry a request while no other one succeeds. */
  retryFor: number;
  /** Maximum number of requests in flight. Lowered while the instance rejects requests due to load. */
  concurrency: number;
  /** Stops waiting and retrying. Requests in flight are completed. */
  signal: AbortSignal;
  onWait: (reason: string, milliseconds: number) => void;
  now?: () => number;
}

export interface AnswerHeaders {
  get(name: string): string | null;
}

/** Posts batches of visits, and retries transient failures. */
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
   * @param identity headers that make the request safe to repeat.
   * @throws the error of `send` if retrying can't help, for example after an invalid token. If retries take too
   * long, the error of `givenUp`.
   */
  async post(body: string, identity: Record<string, string>): Promise<SendOutcome> {
    const { failedRequest, givenUp, retryFor, signal, onWait, now = Date.now } = this.options;
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
        const left = Math.max(failingSince, this.succeededAt) + retryFor - now();
        if (wait > left) throw givenUp?.(error, retryFor) ?? error;
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
      const answer = await send(body, headers);
      return {
        kind: 'accepted',
        rejected: Number(answer.get('x-visits-rejected') ?? 0) || 0,
        repeated: Number(answer.get('x-visits-repeated') ?? 0) || 0,
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
 * Returns true if a retry may succeed: after no response, too many requests, a conflict with an earlier attempt, or a
 * server error.
 */
const isTransient = ({ status }: FailedRequest): boolean =>
  status === null || status >= 500 || [408, 409, 425, 429].includes(status);

const backOff = (attempt: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 2);

/** @throws the signal's reason if it's aborted. */
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
