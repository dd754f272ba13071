import type { Settings } from './options.js';
import { VisitQueue } from './visit-queue.js';
import { unref, VisitSender, type VisitCounts } from './visit-sender.js';

/**
 * Batch size limits. Batches are small enough that serializing one doesn't noticeably block the event loop, even after
 * an outage.
 */
const BATCH_LIMITS = { visits: 250, characters: 256_000 };
/**
 * Maximum wait at process exit while the instance is down. Docker kills a process after 10 seconds, and the site also
 * needs time to shut down.
 */
const OUTAGE_TIMEOUT_MS = 2_500;
/** Timeout for visits sent individually. Most platforms stop background work 30 seconds after the response. */
const IMMEDIATE_TIMEOUT_MS = 25_000;

/** Collects visits and sends them in batches, one request at a time. */
export class VisitReporter {
  private readonly queue: VisitQueue;
  private readonly sender: VisitSender;
  /** Visits still being assembled, for example while a body is being decompressed. */
  private readonly pendingVisits = new Set<Promise<void>>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sendPromise: Promise<void> | undefined;
  /** Number of queued visits to send even if there are fewer than `flushAt`. */
  private pendingFlushCount = 0;
  /** Aborted on the first shutdown and never reset. From then on, visits are sent immediately. */
  private readonly hurryController = new AbortController();
  private abortController = new AbortController();
  /** Time spent on previous shutdowns that timed out without sending anything. */
  private previousShutdownMs = 0;
  private sentBeforeShutdown = 0;
  private shutdownPromise: Promise<void> | undefined;

  constructor(private readonly settings: Settings) {
    this.queue = new VisitQueue({ visits: settings.maxQueuedVisits, characters: settings.maxQueuedCharacters });
    this.sender = new VisitSender(settings);
  }

  get counts(): VisitCounts & { queued: number } {
    return { ...this.sender.counts, queued: this.queue.size };
  }

  add(visit: string): void {
    const dropped = this.queue.add(visit);
    if (dropped > 0) this.sender.drop(dropped, 'the queue is full');
    if (this.shouldSend) void this.startSending();
    else this.schedule();
  }

  /** Queues a visit once its promise resolves. Ignores null. */
  addPending(visit: Promise<string | null>): void {
    const added = visit
      .then((json) => void (json === null ? undefined : this.add(json)))
      .catch((error: unknown) => this.sender.drop(1, String(error)))
      .finally(() => this.pendingVisits.delete(added));
    this.pendingVisits.add(added);
  }

  /**
   * Sends a single visit immediately, for runtimes whose requests share no state. Resolves when the visit has been sent
   * or dropped.
   */
  async sendImmediately(visit: string | Promise<string | null>): Promise<void> {
    try {
      const json = await visit;
      if (json === null) return;
      await this.sender.deliver([json], { signal: AbortSignal.timeout(IMMEDIATE_TIMEOUT_MS) });
    } catch (error) {
      this.sender.drop(1, String(error));
    }
  }

  /** Sends all visits. Resolves when every visit has been sent or dropped. Never rejects. */
  async flush(): Promise<void> {
    await this.settlePending(this.abortController);
    await this.sendQueued();
  }

  /**
   * Sends all visits, and drops those not sent within the timeout. Visits added after the call are sent immediately.
   *
   * A process may call this several times while it exits, for example on a signal and again on `beforeExit`. The
   * timeout covers all of these calls.
   */
  shutdown(timeoutMs: number): Promise<void> {
    this.shutdownPromise ??= this.runShutdown(timeoutMs).finally(() => (this.shutdownPromise = undefined));
    return this.shutdownPromise;
  }

  private async runShutdown(timeoutMs: number): Promise<void> {
    if (!this.hurryController.signal.aborted) this.hurryController.abort();
    const { abortController: giveUp, sender } = this;
    const started = performance.now();
    const waitedMs = sender.counts.sent > this.sentBeforeShutdown ? 0 : this.previousShutdownMs;
    this.sentBeforeShutdown = sender.counts.sent;
    // Unlike the other timers, these keep the process alive.
    const abortAfter = (milliseconds: number, reason: string): ReturnType<typeof setTimeout> =>
      setTimeout(() => giveUp.abort(new Error(reason)), Math.max(0, milliseconds - waitedMs));
    const timer = abortAfter(timeoutMs, `shutdown timed out after ${timeoutMs} ms`);
    let outageTimer: ReturnType<typeof setTimeout> | undefined;
    const warnOfLosses = sender.collectLosses(() => {
      clearTimeout(outageTimer);
      if (sender.isInstanceDown) outageTimer = abortAfter(OUTAGE_TIMEOUT_MS, 'the instance was down during shutdown');
    });
    await this.flush();
    clearTimeout(timer);
    clearTimeout(outageTimer);
    this.previousShutdownMs = giveUp.signal.aborted ? waitedMs + performance.now() - started : 0;
    if (giveUp.signal.aborted) {
      this.abortController = new AbortController();
      if (this.pendingVisits.size > 0) sender.drop(this.pendingVisits.size, String(giveUp.signal.reason));
      this.pendingVisits.clear();
    }
    warnOfLosses();
  }

  get isIdle(): boolean {
    return this.queue.size === 0 && this.sendPromise === undefined && this.pendingVisits.size === 0;
  }

  /**
   * Waits for unfinished visits until `abortController` is aborted. Without this limit, a response that never ends would block
   * the exit.
   */
  private async settlePending({ signal }: AbortController): Promise<void> {
    if (this.pendingVisits.size === 0 || signal.aborted) return;
    let stop!: () => void;
    const aborted = new Promise<void>((resolve) => (stop = resolve));
    signal.addEventListener('abort', stop);
    await Promise.race([Promise.all(this.pendingVisits), aborted]);
    signal.removeEventListener('abort', stop);
  }

  private schedule(): void {
    if (this.timer !== undefined || this.sendPromise !== undefined) return;
    this.timer = setTimeout(() => void this.sendQueued(), this.settings.flushIntervalMs);
    unref(this.timer);
  }

  private sendQueued(): Promise<void> {
    this.pendingFlushCount = this.queue.size;
    return this.startSending();
  }

  /** Resolves when no batch needs to be sent. Some visits may remain queued for a later batch. */
  private async startSending(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.sendPromise === undefined && this.shouldSend) this.sendPromise = this.sendBatches();
    await this.sendPromise;
  }

  private async sendBatches(): Promise<void> {
    while (this.shouldSend) {
      const batch = this.queue.take(BATCH_LIMITS.visits, BATCH_LIMITS.characters);
      this.pendingFlushCount -= batch.length;
      await this.sender.deliver(batch, { signal: this.abortController.signal, hurry: this.hurryController.signal });
    }
    // Reset synchronously after the loop, so that the next `add` can start a new run.
    this.sendPromise = undefined;
    this.pendingFlushCount = 0;
    if (this.queue.size > 0) this.schedule();
  }

  private get shouldSend(): boolean {
    const { size } = this.queue;
    return (
      size > 0 && (size >= this.settings.flushAt || this.pendingFlushCount > 0 || this.hurryController.signal.aborted)
    );
  }
}
