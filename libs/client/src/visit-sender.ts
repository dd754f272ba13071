import { gzip } from './gzip.js';
import { InstanceError, post } from './instance.js';
import type { Settings } from './options.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
const MAX_HURRIED_DELAY_MS = 1_000;
/** The instance may restart without anybody noticing: only the third failure is told. */
const TOLD_ATTEMPT = 2;

/** What became of visits. */
export interface VisitCounts {
  /** Taken by the instance. */
  sent: number;
  /** Of those that were sent: refused as invalid, and kept by the instance as dead letters. */
  rejected: number;
  /** Lost: the queue was full, the instance refused them, or there was no time left. */
  dropped: number;
}

export interface DeliveryLimits {
  /** Gives up at once; what is left is dropped. */
  signal: AbortSignal;
  /** Ends the wait before the next attempt, and keeps those after it short, for a process that is about to end. */
  hurry?: AbortSignal | undefined;
}

/** Sends batches of visits, each under a key that makes a repetition harmless, for as long as trying again may help. */
export class VisitSender {
  readonly counts: VisitCounts = { sent: 0, rejected: 0, dropped: 0 };
  /** Whether the last request got no response, or one that says that the instance can't serve it. */
  isInstanceDown = false;
  private ending: { onInstanceState(): void; lost: number; reason: string } | undefined;

  constructor(private readonly settings: Settings) {}

  /** Settles when the visits are sent or dropped; never fails. */
  async deliver(visits: readonly string[], limits: DeliveryLimits): Promise<void> {
    try {
      await this.send(visits, limits);
    } catch (error) {
      if (error instanceof InstanceError && error.status === 413 && visits.length > 1) {
        const middle = Math.ceil(visits.length / 2);
        await this.deliver(visits.slice(0, middle), limits);
        await this.deliver(visits.slice(middle), limits);
      } else {
        this.drop(visits.length, error instanceof Error ? error.message : String(error));
      }
    }
  }

  drop(count: number, reason: string): void {
    this.counts.dropped += count;
    if (this.ending === undefined) this.warnOfLoss(count, reason);
    else Object.assign(this.ending, { lost: this.ending.lost + count, reason });
  }

  /**
   * Begins the end of the process: losses are collected for a single warning instead of one each, most of which the site
   * would never see.
   *
   * @param onInstanceState called now and with each change of {@link isInstanceDown}.
   * @returns ends it, and warns.
   */
  end(onInstanceState: () => void): () => void {
    this.ending = { onInstanceState, lost: 0, reason: '' };
    onInstanceState();
    return () => {
      const { lost, reason } = this.ending!;
      this.ending = undefined;
      if (lost > 0) this.warnOfLoss(lost, reason, true);
    };
  }

  private warnOfLoss(count: number, reason: string, isFinal = false): void {
    this.settings.onProblem(`${count} ${count === 1 ? 'visit was' : 'visits were'} not reported: ${reason}`, isFinal);
  }

  private async send(visits: readonly string[], { signal, hurry }: DeliveryLimits): Promise<void> {
    if (signal.aborted) throw new InstanceError(`/visits was not answered: ${String(signal.reason)}`, null);
    const json = `[${visits.join(',')}]`;
    const packed = await gzip(json);
    const headers = {
      'idempotency-key': crypto.randomUUID(),
      ...(packed !== null && { 'content-encoding': 'gzip' }),
    };
    for (let attempt = 0; ; attempt += 1) {
      try {
        const response = await post(this.settings, '/visits', packed ?? json, { headers, signal });
        this.setInstanceDown(false);
        this.counts.sent += visits.length;
        this.counts.rejected += Number(response.headers.get('x-visits-rejected')) || 0;
        return;
      } catch (error) {
        if (signal.aborted || !(error instanceof InstanceError)) throw error;
        this.setInstanceDown(error.status === null || error.status >= 500);
        if (!error.isTransient) throw error;
        if (attempt === TOLD_ATTEMPT) this.settings.onProblem(`visits wait for the instance: ${error.message}`);
        const delay = error.retryAfterMs ?? backOff(attempt);
        await (hurry?.aborted
          ? sleep(jittered(Math.min(delay, MAX_HURRIED_DELAY_MS)), [signal])
          : sleep(jittered(delay), [signal, hurry]));
        if (signal.aborted) throw error;
      }
    }
  }

  private setInstanceDown(isDown: boolean): void {
    if (isDown === this.isInstanceDown) return;
    this.isInstanceDown = isDown;
    this.ending?.onInstanceState();
  }
}

const backOff = (attempt: number): number => Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10));

/** Up to a fifth more, so that many processes do not come back at the same time; never less than was asked for. */
const jittered = (milliseconds: number): number => milliseconds * (1 + Math.random() / 5);

/** Ends early when one of the signals is aborted. Does not keep a process alive. */
function sleep(milliseconds: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    unref(timer);
    for (const signal of signals) signal?.addEventListener('abort', end, { once: true });
  });
}

/** Lets a process end although a timer runs, where there are processes. */
export function unref(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}
