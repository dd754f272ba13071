import { gzip } from './gzip.js';
import { InstanceError, post } from './instance.js';
import type { Settings } from './options.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
const MAX_HURRIED_DELAY_MS = 1_000;
/** Zero-based attempt whose failure is reported. Earlier failures can be caused by a restart of the instance. */
const TOLD_ATTEMPT = 2;

export interface VisitCounts {
  /** Delivered to the instance, including rejected visits. */
  sent: number;
  /** Rejected as invalid. The instance keeps them as dead letters. */
  rejected: number;
  /** Lost because the queue was full, the instance rejected the request or time ran out. */
  dropped: number;
}

export interface DeliveryLimits {
  /** Stops the delivery immediately. Remaining visits are dropped. */
  signal: AbortSignal;
  /** Ends the current retry delay and shortens later ones, because the process is about to exit. */
  hurry?: AbortSignal | undefined;
}

/**
 * Sends batches of visits, and retries them while that may help. Each batch has an idempotency key, so retries are
 * safe.
 */
export class VisitSender {
  readonly counts: VisitCounts = { sent: 0, rejected: 0, dropped: 0 };
  /** Whether the last request got no response or a 5xx status. */
  isInstanceDown = false;
  private ending: { onInstanceState(): void; lost: number; reason: string } | undefined;

  constructor(private readonly settings: Settings) {}

  /** Sends visits, splitting the batch if it is too large. Resolves when each is sent or dropped. Never rejects. */
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
   * Starts to collect losses for a single warning at process exit, because most separate warnings would be suppressed.
   *
   * @param onInstanceState Called immediately and whenever {@link isInstanceDown} changes.
   * @returns a function that stops collecting and warns.
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

/** Adds up to 20 % of jitter, so processes don't all retry at the same time. Never shortens a delay. */
const jittered = (milliseconds: number): number => milliseconds * (1 + Math.random() / 5);

/** Resolves early if a signal is aborted. Doesn't keep the process alive. */
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

/** Lets the process exit while a timer runs. Does nothing outside Node.js. */
export function unref(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}
