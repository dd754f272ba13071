import { gzip } from './gzip.js';
import { InstanceError, post } from './instance.js';
import type { Settings } from './options.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
const MAX_EXIT_DELAY_MS = 1_000;
/**
 * Index of the attempt whose failure is reported, starting at 0. Earlier failures may be due to a restart of the
 * instance.
 */
const REPORTED_ATTEMPT = 2;

export interface VisitCounts {
  /** Visits delivered to the instance, including those it rejected. */
  sent: number;
  /** Visits the instance rejected as invalid. It stores them as dead letters. */
  rejected: number;
  /** Visits lost because the queue was full, the instance rejected the request, or the shutdown timed out. */
  dropped: number;
}

export interface DeliveryLimits {
  /** Aborts delivery immediately. Unsent visits are dropped. */
  signal: AbortSignal;
  /** Cuts the current retry delay short and limits later ones, because the process is about to exit. */
  hurry?: AbortSignal | undefined;
}

/** Sends visits in batches and retries transient failures. Each request has an idempotency key, so retries are safe. */
export class VisitSender {
  readonly counts: VisitCounts = { sent: 0, rejected: 0, dropped: 0 };
  /** True if the last request received no response or a 5xx status. */
  isInstanceDown = false;
  private lossReport: { onInstanceState(): void; lost: number; reason: string } | undefined;

  constructor(private readonly settings: Settings) {}

  /**
   * Sends visits, and splits the batch if the instance rejects it as too large. Resolves when every visit has been sent
   * or dropped. Never rejects.
   */
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
    if (this.lossReport === undefined) this.warnOfLoss(count, reason);
    else Object.assign(this.lossReport, { lost: this.lossReport.lost + count, reason });
  }

  /**
   * Starts collecting losses into a single warning at process exit. Separate warnings would mostly be rate-limited.
   *
   * @param onInstanceState Called immediately and whenever {@link isInstanceDown} changes.
   * @returns a function that stops collecting and logs the warning.
   */
  collectLosses(onInstanceState: () => void): () => void {
    this.lossReport = { onInstanceState, lost: 0, reason: '' };
    onInstanceState();
    return () => {
      const { lost, reason } = this.lossReport!;
      this.lossReport = undefined;
      if (lost > 0) this.warnOfLoss(lost, reason, true);
    };
  }

  private warnOfLoss(count: number, reason: string, isFinal = false): void {
    this.settings.onProblem(`${count} ${count === 1 ? 'visit was' : 'visits were'} not reported: ${reason}`, isFinal);
  }

  private async send(visits: readonly string[], { signal, hurry }: DeliveryLimits): Promise<void> {
    if (signal.aborted) throw new InstanceError(`POST /visits failed: ${String(signal.reason)}`, null);
    const json = `[${visits.join(',')}]`;
    const compressed = await gzip(json);
    const headers = {
      'idempotency-key': crypto.randomUUID(),
      ...(compressed !== null && { 'content-encoding': 'gzip' }),
    };
    for (let attempt = 0; ; attempt += 1) {
      try {
        const response = await post(this.settings, '/visits', compressed ?? json, { headers, signal });
        this.setInstanceDown(false);
        this.counts.sent += visits.length;
        this.counts.rejected += Number(response.headers.get('x-visits-rejected')) || 0;
        return;
      } catch (error) {
        if (signal.aborted || !(error instanceof InstanceError)) throw error;
        this.setInstanceDown(error.status === null || error.status >= 500);
        if (!error.isTransient) throw error;
        if (attempt === REPORTED_ATTEMPT)
          this.settings.onProblem(`visits are queued because the instance is unavailable: ${error.message}`);
        const delay = error.retryAfterMs ?? getRetryDelay(attempt);
        await (hurry?.aborted
          ? sleep(addJitter(Math.min(delay, MAX_EXIT_DELAY_MS)), [signal])
          : sleep(addJitter(delay), [signal, hurry]));
        if (signal.aborted) throw error;
      }
    }
  }

  private setInstanceDown(isDown: boolean): void {
    if (isDown === this.isInstanceDown) return;
    this.isInstanceDown = isDown;
    this.lossReport?.onInstanceState();
  }
}

const getRetryDelay = (attempt: number): number => Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10));

/** Adds up to 20% jitter, so that processes don't all retry at once. Never shortens a delay. */
const addJitter = (milliseconds: number): number => milliseconds * (1 + Math.random() / 5);

/** Resolves after the delay, or early if a signal is aborted. Doesn't keep the process alive. */
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

/** Lets the process exit while the timer is pending. Does nothing outside Node.js. */
export function unref(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}
