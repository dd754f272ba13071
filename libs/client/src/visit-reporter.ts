import type { Settings } from './options.js';
import { VisitQueue } from './visit-queue.js';
import { unref, VisitSender, type VisitCounts } from './visit-sender.js';

/** Limits of one request. Small enough that building it doesn't delay the site's visitors, even after an outage. */
const BATCH = { visits: 250, characters: 256_000 };
/**
 * Maximum wait at process exit while the instance is down. Docker kills a process after 10 s, and the site needs time
 * to shut down, too.
 */
const OUTAGE_MS = 2_500;
/** Timeout of a visit sent on its own. Most platforms end background work 30 s after the response. */
const MAX_IMMEDIATE_MS = 25_000;

/** Collects visits and sends them in batches, one request at a time. */
export class VisitReporter {
  private readonly queue: VisitQueue;
  private readonly sender: VisitSender;
  /** Visits that aren't complete yet, for instance because a body is still being decompressed. */
  private readonly unfinished = new Set<Promise<void>>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<void> | undefined;
  /** Number of queued visits to send regardless of `flushAt`. */
  private wanted = 0;
  /** Aborted permanently at the first shutdown. From then on, visits are sent immediately. */
  private readonly hurry = new AbortController();
  private giveUp = new AbortController();
  /** Time used up by earlier shutdowns that timed out without sending anything. */
  private waitedMs = 0;
  private sentBeforeEnd = 0;
  private ending: Promise<void> | undefined;

  constructor(private readonly settings: Settings) {
    this.queue = new VisitQueue({ visits: settings.maxQueuedVisits, characters: settings.maxQueuedCharacters });
    this.sender = new VisitSender(settings);
  }

  get counts(): VisitCounts & { queued: number } {
    return { ...this.sender.counts, queued: this.queue.size };
  }

  add(visit: string): void {
    const dropped = this.queue.add(visit);
    if (dropped > 0) this.sender.drop(dropped, 'too many visits wait for the instance');
    if (this.isSending) void this.start();
    else this.schedule();
  }

  /** Queues a visit once it resolves. Null is ignored. */
  addLater(visit: Promise<string | null>): void {
    const added = visit
      .then((json) => void (json === null ? undefined : this.add(json)))
      .catch((error: unknown) => this.sender.drop(1, String(error)))
      .finally(() => this.unfinished.delete(added));
    this.unfinished.add(added);
  }

  /**
   * Sends a single visit immediately, for runtimes whose requests share no state. Resolves when it is sent or dropped.
   */
  async sendAlone(visit: string | Promise<string | null>): Promise<void> {
    try {
      const json = await visit;
      if (json === null) return;
      await this.sender.deliver([json], { signal: AbortSignal.timeout(MAX_IMMEDIATE_MS) });
    } catch (error) {
      this.sender.drop(1, String(error));
    }
  }

  /** Sends all visits. Resolves when each is sent or dropped. Never rejects. */
  async flush(): Promise<void> {
    await this.settleUnfinished(this.giveUp);
    await this.sendQueued();
  }

  /**
   * Sends all visits, and later ones immediately. Visits that aren't sent in time are dropped. The timeout covers the
   * entire exit of a process, which may call this several times, for instance at a signal and at `beforeExit`.
   */
  shutdown(timeoutMs: number): Promise<void> {
    this.ending ??= this.end(timeoutMs).finally(() => (this.ending = undefined));
    return this.ending;
  }

  private async end(timeoutMs: number): Promise<void> {
    if (!this.hurry.signal.aborted) this.hurry.abort();
    const { giveUp, sender } = this;
    const started = performance.now();
    const waitedMs = sender.counts.sent > this.sentBeforeEnd ? 0 : this.waitedMs;
    this.sentBeforeEnd = sender.counts.sent;
    // Unlike other timers, these keep the process alive.
    const giveUpAfter = (milliseconds: number, reason: string): ReturnType<typeof setTimeout> =>
      setTimeout(() => giveUp.abort(new Error(reason)), Math.max(0, milliseconds - waitedMs));
    const timer = giveUpAfter(timeoutMs, `the process ended after ${timeoutMs} ms`);
    let outage: ReturnType<typeof setTimeout> | undefined;
    const warnOfLosses = sender.end(() => {
      clearTimeout(outage);
      if (sender.isInstanceDown) outage = giveUpAfter(OUTAGE_MS, 'the process ended while the instance was down');
    });
    await this.flush();
    clearTimeout(timer);
    clearTimeout(outage);
    this.waitedMs = giveUp.signal.aborted ? waitedMs + performance.now() - started : 0;
    if (giveUp.signal.aborted) {
      this.giveUp = new AbortController();
      if (this.unfinished.size > 0) sender.drop(this.unfinished.size, String(giveUp.signal.reason));
      this.unfinished.clear();
    }
    warnOfLosses();
  }

  get isIdle(): boolean {
    return this.queue.size === 0 && this.running === undefined && this.unfinished.size === 0;
  }

  /** Waits for incomplete visits until `giveUp` is aborted, because a response may never end. */
  private async settleUnfinished({ signal }: AbortController): Promise<void> {
    if (this.unfinished.size === 0 || signal.aborted) return;
    let stop!: () => void;
    const aborted = new Promise<void>((resolve) => (stop = resolve));
    signal.addEventListener('abort', stop);
    await Promise.race([Promise.all(this.unfinished), aborted]);
    signal.removeEventListener('abort', stop);
  }

  private schedule(): void {
    if (this.timer !== undefined || this.running !== undefined) return;
    this.timer = setTimeout(() => void this.sendQueued(), this.settings.flushIntervalMs);
    unref(this.timer);
  }

  private sendQueued(): Promise<void> {
    this.wanted = this.queue.size;
    return this.start();
  }

  /** Resolves when the remaining visits may wait for the next batch. */
  private async start(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.running === undefined && this.isSending) this.running = this.run();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.isSending) {
      const batch = this.queue.take(BATCH.visits, BATCH.characters);
      this.wanted -= batch.length;
      await this.sender.deliver(batch, { signal: this.giveUp.signal, hurry: this.hurry.signal });
    }
    // Reset synchronously after the loop, so the next `add` knows that nothing is being sent.
    this.running = undefined;
    this.wanted = 0;
    if (this.queue.size > 0) this.schedule();
  }

  private get isSending(): boolean {
    const { size } = this.queue;
    return size > 0 && (size >= this.settings.flushAt || this.wanted > 0 || this.hurry.signal.aborted);
  }
}
