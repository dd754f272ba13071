import { RequestWindow } from './request-window.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

export type SendOutcome =
  /** Recorded; `rejected` visits of it were refused, `repeated` ones were recorded by an earlier import. */
  | { kind: 'accepted'; rejected: number; repeated: number }
  /** Too many bytes for the instance or a proxy in front of it. */
  | { kind: 'too-large'; reason: string }
  | { kind: 'refused'; reason: string };

/** A request that did not succeed. */
export interface FailedRequest {
  /** Null when nothing answered. */
  status: number | null;
  message: string;
  /** Milliseconds that the instance asks to wait. */
  retryAfter?: number | undefined;
}

interface SenderOptions {
  /**
   * Posts a packed body to `/visits`.
   *
   * @returns the headers of the answer. @throws what `failedRequest` reads, unless the answer is 2xx.
   */
  send: (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) => Promise<AnswerHeaders>;
  /** @returns null for what is not the failure of a request. */
  failedRequest: (error: unknown) => FailedRequest | null;
  /** Compresses a body with gzip. */
  pack: (body: string) => Promise<Uint8Array<ArrayBuffer>>;
  /** The error to end with, when a request was tried for long enough; never called with an endless `retryFor`. */
  givenUp?: (error: unknown, retryFor: number) => Error;
  /** Milliseconds for which a request is tried again while no other one succeeds. */
  retryFor: number;
  /** The most requests under way; fewer while the instance refuses some for load. */
  concurrency: number;
  /** Stops waiting and trying; a request under way is left to end. */
  signal: AbortSignal;
  onWait: (reason: string, milliseconds: number) => void;
  now?: () => number;
}

export interface AnswerHeaders {
  get(name: string): string | null;
}

/** Posts batches of visits, and tries again for as long as it may help. */
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
   * @param identity headers that make a repeat of the request harmless.
   * @throws what `send` threw when the instance will never take the visits (a wrong token), or `givenUp` made of it.
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

/** Whether the same request may succeed later: nothing answered, too many requests, still at work, or a server's fault. */
const isTransient = ({ status }: FailedRequest): boolean =>
  status === null || status >= 500 || [408, 409, 425, 429].includes(status);

const backOff = (attempt: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 2);

/** @throws the signal's reason once it is aborted. */
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
