import type { Settings } from './options.js';
import { VisitQueue } from './visit-queue.js';
import { unref, VisitSender, type VisitCounts } from './visit-sender.js';

/** Of one request. Small enough that making it takes no time that visitors notice, also after an outage. */
const BATCH = { visits: 250, characters: 256_000 };
/** Docker kills a process after 10 s, and the site itself has to end, too: nobody waits longer for an instance that is down. */
const OUTAGE_MS = 2_500;
/** Most platforms end a request's work 30 s after its response. */
const MAX_IMMEDIATE_MS = 25_000;

/** Collects visits and sends them in batches, one request at a time. */
export class VisitReporter {
  private readonly queue: VisitQueue;
  private readonly sender: VisitSender;
  /** Visits that are still being read, such as bodies that are unpacked. */
  private readonly unfinished = new Set<Promise<void>>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<void> | undefined;
  /** Visits to send although there are few. */
  private wanted = 0;
  /** Aborted for good at the end of the process: from then on, nothing waits for company. */
  private readonly hurry = new AbortController();
  private giveUp = new AbortController();
  /** Milliseconds that earlier attempts to end have waited in vain. */
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

  /** Sends a visit with others. */
  add(visit: string): void {
    const dropped = this.queue.add(visit);
    if (dropped > 0) this.sender.drop(dropped, 'too many visits wait for the instance');
    if (this.isSending) void this.start();
    else this.schedule();
  }

  /** Adds a visit once it is known; null is none. */
  addLater(visit: Promise<string | null>): void {
    const added = visit
      .then((json) => void (json === null ? undefined : this.add(json)))
      .catch((error: unknown) => this.sender.drop(1, String(error)))
      .finally(() => this.unfinished.delete(added));
    this.unfinished.add(added);
  }

  /** Sends a visit alone and at once, for runtimes in which requests share nothing. Settles when it is sent or dropped. */
  async sendAlone(visit: string | Promise<string | null>): Promise<void> {
    try {
      const json = await visit;
      if (json === null) return;
      await this.sender.deliver([json], { signal: AbortSignal.timeout(MAX_IMMEDIATE_MS) });
    } catch (error) {
      this.sender.drop(1, String(error));
    }
  }

  /** Sends all that waits. Settles when it is sent or dropped, and never fails. */
  async flush(): Promise<void> {
    await this.settleUnfinished(this.giveUp);
    await this.sendQueued();
  }

  /**
   * Sends all visits that wait, and later ones at once. Visits that are not sent in time are dropped. The time is for the
   * entire end of a process, which may have several steps, such as a signal and its last event.
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
    // Keeps the process alive until then.
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

  /** Waits for visits that are still being read; a response may never end. */
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

  /** Sends what waits now, however little it is. */
  private sendQueued(): Promise<void> {
    this.wanted = this.queue.size;
    return this.start();
  }

  /** Settles when enough is sent that the rest may wait for company again. */
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
    // Before anything else can run: who adds a visit next has to see that nobody is sending.
    this.running = undefined;
    this.wanted = 0;
    if (this.queue.size > 0) this.schedule();
  }

  private get isSending(): boolean {
    const { size } = this.queue;
    return size > 0 && (size >= this.settings.flushAt || this.wanted > 0 || this.hurry.signal.aborted);
  }
}
