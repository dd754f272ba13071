import type { ServerResponse } from 'node:http';
import { formatPosition, furthest, isBehind, type VisitPosition } from '#libs/contracts';
import type { FilteredColumns, StreamedPart } from '#libs/visit-store';
import { Counter } from 'prom-client';
import type { BudgetedStream, StreamBudget } from './stream-budget.js';

/** Clients with more unsent data are disconnected. They resume at their position. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;
const SECOND_MS = 1_000;

const metrics = {
  visits: new Counter({
    name: 'agent_traffic_console_stream_visits_total',
    help: 'Visits in live streams; outcome: sent, filtered, or skipped (more per second than requested)',
    labelNames: ['outcome'],
  }),
  cutOff: new Counter({
    name: 'agent_traffic_console_streams_cut_off_total',
    help: 'Live streams ended because the client read too slowly; it resumes',
  }),
};

export interface SseConnectionOptions {
  position: VisitPosition;
  maxPerSecond: number | null;
  /** Selects the visits to send. Null means all. */
  matches: ((visit: FilteredColumns) => boolean) | null;
}

/**
 * Connection that sends visits as server-sent events (WHATWG HTML, section 9.2). The ID of an event is the position to
 * resume from.
 */
export class SseConnection implements BudgetedStream {
  position: VisitPosition;
  private readonly maxPerSecond: number;
  private readonly matches: SseConnectionOptions['matches'];
  private sent = 0;
  private skipped = 0;
  private filtered = 0;
  private readonly timers: NodeJS.Timeout[];

  constructor(
    private readonly response: ServerResponse,
    private readonly budget: StreamBudget,
    { position, maxPerSecond, matches }: SseConnectionOptions,
  ) {
    this.position = position;
    this.maxPerSecond = maxPerSecond ?? Infinity;
    this.matches = matches;
    this.timers = [setInterval(() => this.write(': keep-alive\n\n'), KEEP_ALIVE_MS)];
    if (maxPerSecond !== null || matches !== null) this.timers.push(setInterval(() => this.nextSecond(), SECOND_MS));
    response.on('close', () => this.timers.forEach((timer) => clearInterval(timer)));
    response.on('close', budget.add(this));
    // Sends the position before the first visit. If the connection breaks right away, the client resumes from here.
    this.write(`retry: 1000\nevent: opened\nid: ${formatPosition(position)}\ndata: {}\n\n`);
  }

  get isGone(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  onGone(listener: () => void): void {
    this.response.on('close', listener);
  }

  get unsentBytes(): number {
    return this.isGone ? 0 : this.response.writableLength;
  }

  cutOff(): void {
    metrics.cutOff.inc();
    this.response.destroy();
  }

  /** Sends the visits that the client doesn't have yet. Waits until all streams are within their budget. */
  async send({ visits, position }: Pick<StreamedPart, 'visits' | 'position'>): Promise<void> {
    await this.budget.settle();
    if (this.isGone) return;
    let text = '';
    const counts = { sent: 0, filtered: 0, skipped: 0 };
    for (const visit of visits) {
      if (!isBehind(this.position, visit.position)) continue;
      const reached = furthest(this.position, visit.position);
      const outcome = this.outcomeOf(visit);
      this[outcome] += 1;
      counts[outcome] += 1;
      if (outcome === 'sent') {
        // Skipped visits are reported first, because a client that resumes after this visit isn't told about them
        // again.
        text += `${this.skippedEvents()}event: visit\nid: ${formatPosition(reached)}\ndata: ${visit.document}\n\n`;
      }
      this.position = reached;
    }
    for (const outcome of ['sent', 'filtered', 'skipped'] as const) {
      if (counts[outcome] > 0) metrics.visits.inc({ outcome }, counts[outcome]);
    }
    // The position can be past the last visit: some numbers have no visit, because it was a duplicate or has expired.
    this.position = furthest(this.position, position);
    if (text !== '') this.write(text);
  }

  /** Resolves once the client has accepted the data, or is gone. */
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

  private outcomeOf(visit: FilteredColumns): 'sent' | 'filtered' | 'skipped' {
    if (this.matches !== null && !this.matches(visit)) return 'filtered';
    return this.sent >= this.maxPerSecond ? 'skipped' : 'sent';
  }

  private nextSecond(): void {
    const text = this.skippedEvents();
    this.sent = 0;
    if (text !== '') this.write(text);
  }

  /** Returns events with the number of filtered and skipped visits up to the position. */
  private skippedEvents(): string {
    const events = Object.entries({ filtered: this.filtered, skipped: this.skipped })
      .filter(([, visits]) => visits > 0)
      .map(([event, visits]) => ({ event, data: `{"visits":${visits}}` }));
    this.filtered = 0;
    this.skipped = 0;
    return events
      .map(({ event, data }, index) => {
        // Only the last event has an ID, so clients can't resume between them.
        const id = index === events.length - 1 ? `id: ${formatPosition(this.position)}\n` : '';
        return `event: ${event}\n${id}data: ${data}\n\n`;
      })
      .join('');
  }

  private write(text: string): void {
    if (this.isGone) return;
    // Checked before the write, because all written bytes count as unsent at first.
    if (this.response.writableLength > MAX_UNSENT_BYTES) {
      this.cutOff();
      return;
    }
    this.response.write(text);
    this.budget.wrote(text.length);
  }
}
