import type { ServerResponse } from 'node:http';
import type { StreamedVisit } from './timeline.repository.js';

/** Bytes that may wait for a viewer; one who reads slower is let go, and resumes where it was. */
const MOST_UNSENT_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;
const SECOND = 1_000;

export interface ViewerOptions {
  /** Everything up to here is known to the viewer. */
  position: bigint;
  /** Visits a second at most; null for no cap. */
  maxPerSecond: number | null;
}

/**
 * The other end of a stream of server-sent events (WHATWG HTML, section 9.2). An event's id is the position of the
 * visit in the order of commits, by which the stream is resumed.
 */
export class Viewer {
  position: bigint;
  private readonly maxPerSecond: number;
  private sent = 0;
  private skipped = 0;
  private readonly timers: NodeJS.Timeout[];

  constructor(
    private readonly response: ServerResponse,
    { position, maxPerSecond }: ViewerOptions,
  ) {
    this.position = position;
    this.maxPerSecond = maxPerSecond ?? Infinity;
    this.timers = [setInterval(() => this.write(': keep-alive\n\n'), KEEP_ALIVE_MS)];
    if (maxPerSecond !== null) this.timers.push(setInterval(() => this.nextSecond(), SECOND));
    response.on('close', () => this.timers.forEach((timer) => clearInterval(timer)));
    // The position even before the first visit: a connection that breaks right away resumes from here.
    this.write(`retry: 1000\nid: ${position}\n\n`);
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
    for (const { position, document } of visits) {
      if (position <= this.position) continue;
      this.position = position;
      if (this.sent >= this.maxPerSecond) {
        this.skipped += 1;
        continue;
      }
      this.sent += 1;
      text += `event: visit\nid: ${position}\ndata: ${document}\n\n`;
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
    if (this.skipped > 0) this.write(`event: skipped\nid: ${this.position}\ndata: {"visits":${this.skipped}}\n\n`);
    this.sent = 0;
    this.skipped = 0;
  }

  private write(text: string): void {
    if (this.isGone) return;
    this.response.write(text);
    if (this.response.writableLength > MOST_UNSENT_BYTES) this.response.destroy();
  }
}
