import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { CliError, HttpError, isTransient } from '../cli-error.js';
import type { Answer, SendOptions } from '../client.js';
import { RequestWindow } from './request-window.js';

const compress = promisify(gzip);
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** Half the time of the default level, for a tenth more bytes. */
const COMPRESSION = { level: constants.Z_BEST_SPEED };

export type SendOutcome =
  /** Recorded now, or earlier under the same key; `rejected` visits of it were refused. */
  | { kind: 'accepted'; rejected: number; isRepeat: boolean }
  /** The key was used for another body; nothing was recorded. */
  | { kind: 'key-taken' }
  /** Too many bytes for the instance or a proxy in front of it. */
  | { kind: 'too-large'; reason: string }
  | { kind: 'refused'; reason: string };

export interface SenderOptions {
  send: (path: string, options: SendOptions) => Promise<Answer>;
  token: string;
  /** Milliseconds for which a request is tried again while no other one succeeds. */
  retryFor: number;
  /** The most requests under way; fewer while the instance refuses some for load. */
  concurrency: number;
  /** Stops waiting and trying; a request under way has `grace` to end. */
  signal: AbortSignal;
  onWait: (reason: string, milliseconds: number) => void;
  grace?: number;
  now?: () => number;
}

/** Posts batches of visits, each under its idempotency key, and tries again for as long as it may help. */
export class VisitSender {
  private readonly hardStop = new AbortController();
  private readonly window: RequestWindow;
  private succeededAt = 0;

  constructor(private readonly options: SenderOptions) {
    this.window = new RequestWindow(options.concurrency);
    const stop = () => setTimeout(() => this.hardStop.abort(), options.grace ?? 3_000).unref();
    if (options.signal.aborted) stop();
    else options.signal.addEventListener('abort', stop, { once: true });
  }

  /**
   * @param body JSON array of visits.
   * @throws CliError when the instance can't be had within the time, or will never take the visits (a wrong token).
   */
  async post(body: string, key: string): Promise<SendOutcome> {
    const bytes = await compress(body, COMPRESSION);
    const now = this.options.now ?? Date.now;
    let failingSince: number | undefined;
    /** Whether an attempt before is what used the key, although it failed. */
    let mayBeOurs = false;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const outcome = await this.window.run(() => this.attempt(bytes, key));
        if (outcome.kind === 'accepted' && mayBeOurs) outcome.isRepeat = false;
        this.succeededAt = now();
        return outcome;
      } catch (error) {
        if (this.options.signal.aborted || !isTransient(error)) throw error;
        failingSince ??= now();
        mayBeOurs ||= !(error instanceof HttpError && error.status === 429);
        const wait = (error as HttpError).retryAfter ?? backOff(attempt);
        const left = Math.max(failingSince, this.succeededAt) + this.options.retryFor - now();
        if (wait > left) throw givenUp(error as CliError, this.options.retryFor);
        this.options.onWait((error as CliError).message, wait);
        await sleep(wait, undefined, { signal: this.options.signal });
      }
    }
  }

  private async attempt(body: Uint8Array, key: string): Promise<SendOutcome> {
    this.options.signal.throwIfAborted();
    try {
      const { headers } = await this.options.send('/visits', {
        method: 'POST',
        credential: this.options.token,
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'idempotency-key': key },
        body,
        signal: this.hardStop.signal,
      });
      return {
        kind: 'accepted',
        rejected: Number(headers.get('x-visits-rejected') ?? 0) || 0,
        isRepeat: headers.get('idempotent-replayed') === 'true',
      };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const { status, problem, message } = error;
      if (status === 413) return { kind: 'too-large', reason: message };
      if (status === 422) {
        const isAboutKey = /idempotency/i.test(`${problem.type} ${problem.title} ${problem.detail}`);
        return isAboutKey ? { kind: 'key-taken' } : { kind: 'refused', reason: message };
      }
      if (status === 400) return { kind: 'refused', reason: message };
      throw error;
    }
  }
}

const backOff = (attempt: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 2);

function givenUp(error: CliError, retryFor: number): CliError {
  return new CliError(`Gave up after trying for ${Math.round(retryFor / 1_000)} s. ${error.message}`, {
    hint: error.hint ?? 'Try again later; --retry-for 30m tries for longer.',
    cause: error,
  });
}
