import type { ServerResponse } from 'node:http';
import type { FilteredColumns } from './timeline-filters.js';
import type { StreamedVisit } from './timeline.repository.js';

/** Bytes that may wait for a viewer; one who reads slower is let go, and resumes where it was. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;
const SECOND = 1_000;

export interface ViewerOptions {
  /** Everything up to here is known to the viewer. */
  position: bigint;
  /** Visits a second at most; null for no cap. */
  maxPerSecond: number | null;
  /** Which visits are wanted; null for all. */
  fits: ((visit: FilteredColumns) => boolean) | null;
}

/**
 * The other end of a stream of server-sent events (WHATWG HTML, section 9.2). An event's id is the position of the
 * visit in the order of commits, by which the stream is resumed.
 */
export class Viewer {
  position: bigint;
  private readonly maxPerSecond: number;
  private readonly fits: ViewerOptions['fits'];
  private sent = 0;
  private skipped = 0;
  private filtered = 0;
  private readonly timers: NodeJS.Timeout[];

  constructor(
    private readonly response: ServerResponse,
    { position, maxPerSecond, fits }: ViewerOptions,
  ) {
    this.position = position;
    this.maxPerSecond = maxPerSecond ?? Infinity;
    this.fits = fits;
    this.timers = [setInterval(() => this.write(': keep-alive\n\n'), KEEP_ALIVE_MS)];
    if (maxPerSecond !== null || fits !== null) this.timers.push(setInterval(() => this.nextSecond(), SECOND));
    response.on('close', () => this.timers.forEach((timer) => clearInterval(timer)));
    // The position even before the first visit: a connection that breaks right away resumes from here.
    this.write(`retry: 1000\nevent: opened\nid: ${position}\ndata: {}\n\n`);
  }

  get isGone(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  onGone(listener: () => void): void {
    this.response.on('close', listener);
  }

  /** Sends those visits that are new to the viewer. */
  send(visits: readonly StreamedVisit[]): void {
    let text = '';
    for (const visit of visits) {
      const { position, document } = visit;
      if (position <= this.position) continue;
      if (this.fits !== null && !this.fits(visit)) this.filtered += 1;
      else if (this.sent >= this.maxPerSecond) this.skipped += 1;
      else {
        this.sent += 1;
        // What was passed over comes before: whoever resumes after this visit is not told of it again.
        text += `${this.passedOver()}event: visit\nid: ${position}\ndata: ${document}\n\n`;
      }
      this.position = position;
    }
    if (text !== '') this.write(text);
  }

  /** Resolves once the viewer has taken what was sent, or is gone. */
  async drained(): Promise<void> {
    if (!this.response.writableNeedDrain || this.isGone) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
  }

  end(): void {
    this.response.end();
  }

  private nextSecond(): void {
    const text = this.passedOver();
    this.sent = 0;
    if (text !== '') this.write(text);
  }

  /** Says how many visits were not sent, up to the position, and of what kind they are. */
  private passedOver(): string {
    const events = Object.entries({ filtered: this.filtered, skipped: this.skipped })
      .filter(([, visits]) => visits > 0)
      .map(([event, visits]) => ({ event, data: `{"visits":${visits}}` }));
    this.filtered = 0;
    this.skipped = 0;
    return events
      .map(({ event, data }, index) => {
        // Only the last of them ends here: between two of them nobody can resume.
        const id = index === events.length - 1 ? `id: ${this.position}\n` : '';
        return `event: ${event}\n${id}data: ${data}\n\n`;
      })
      .join('');
  }

  private write(text: string): void {
    if (this.isGone) return;
    // What is written now counts as unsent whoever reads, so what waited before it tells.
    if (this.response.writableLength > MAX_UNSENT_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}
