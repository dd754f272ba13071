import type { ServerResponse } from 'node:http';
import { formatPosition, mergePositions, isBehind, type VisitPosition } from '#libs/contracts';
import type { FilteredColumns, StreamedPart } from '#libs/visit-store';
import { Counter } from 'prom-client';
import type { BudgetedStream, StreamBudget } from './stream-budget.js';

/** Clients with more unsent data are disconnected. They reconnect and resume at their position. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;
const SECOND_MS = 1_000;

const metrics = {
  visits: new Counter({
    name: 'agent_traffic_console_stream_visits_total',
    help: 'Visits in live streams by outcome: sent, filtered, or skipped (over the requested rate)',
    labelNames: ['outcome'],
  }),
  cutOff: new Counter({
    name: 'agent_traffic_console_streams_cut_off_total',
    help: 'Live streams disconnected because the client read too slowly; clients reconnect and resume',
  }),
};

export interface SseConnectionOptions {
  position: VisitPosition;
  maxPerSecond: number | null;
  /** Predicate for the visits to send. If null, all visits are sent. */
  matches: ((visit: FilteredColumns) => boolean) | null;
}

/**
 * Sends visits to a client as server-sent events (WHATWG HTML, section 9.2). Each event's ID is the position to resume
 * from.
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
    if (maxPerSecond !== null || matches !== null)
      this.timers.push(setInterval(() => this.startNextSecond(), SECOND_MS));
    response.on('close', () => this.timers.forEach((timer) => clearInterval(timer)));
    response.on('close', budget.add(this));
    // Send the position before the first visit, so a client whose connection breaks right away can resume from here.
    this.write(`retry: 1000\nevent: opened\nid: ${formatPosition(position)}\ndata: {}\n\n`);
  }

  get isDisconnected(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  onDisconnect(listener: () => void): void {
    this.response.on('close', listener);
  }

  get unsentBytes(): number {
    return this.isDisconnected ? 0 : this.response.writableLength;
  }

  disconnect(): void {
    metrics.cutOff.inc();
    this.response.destroy();
  }

  /** Sends the visits that the client doesn't have yet, once all streams are within the memory budget. */
  async send({ visits, position }: Pick<StreamedPart, 'visits' | 'position'>): Promise<void> {
    await this.budget.enforce();
    if (this.isDisconnected) return;
    let text = '';
    const counts = { sent: 0, filtered: 0, skipped: 0 };
    for (const visit of visits) {
      if (!isBehind(this.position, visit.position)) continue;
      const newPosition = mergePositions(this.position, visit.position);
      const outcome = this.getOutcome(visit);
      this[outcome] += 1;
      counts[outcome] += 1;
      if (outcome === 'sent') {
        // Report the number of skipped visits before this one. If the client resumes after this visit, it would
        // otherwise never receive the number.
        text += `${this.takeCountEvents()}event: visit\nid: ${formatPosition(newPosition)}\ndata: ${visit.document}\n\n`;
      }
      this.position = newPosition;
    }
    for (const outcome of ['sent', 'filtered', 'skipped'] as const) {
      if (counts[outcome] > 0) metrics.visits.inc({ outcome }, counts[outcome]);
    }
    // The position can be after the last returned visit, because duplicates and expired visits also have positions but
    // aren't returned.
    this.position = mergePositions(this.position, position);
    if (text !== '') this.write(text);
  }

  /** Resolves once the client has accepted the data or disconnected. */
  async waitForDrain(): Promise<void> {
    if (!this.response.writableNeedDrain || this.isDisconnected) return;
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

  private getOutcome(visit: FilteredColumns): 'sent' | 'filtered' | 'skipped' {
    if (this.matches !== null && !this.matches(visit)) return 'filtered';
    return this.sent >= this.maxPerSecond ? 'skipped' : 'sent';
  }

  private startNextSecond(): void {
    const text = this.takeCountEvents();
    this.sent = 0;
    if (text !== '') this.write(text);
  }

  /** Returns events with the numbers of filtered and skipped visits up to the position, and resets the numbers. */
  private takeCountEvents(): string {
    const events = Object.entries({ filtered: this.filtered, skipped: this.skipped })
      .filter(([, visits]) => visits > 0)
      .map(([event, visits]) => ({ event, data: `{"visits":${visits}}` }));
    this.filtered = 0;
    this.skipped = 0;
    return events
      .map(({ event, data }, index) => {
        // Only the last event has an ID, so a client can't resume between the events and miss some of them.
        const id = index === events.length - 1 ? `id: ${formatPosition(this.position)}\n` : '';
        return `event: ${event}\n${id}data: ${data}\n\n`;
      })
      .join('');
  }

  private write(text: string): void {
    if (this.isDisconnected) return;
    // Check the limit before writing, because data that was just written always counts as unsent.
    if (this.response.writableLength > MAX_UNSENT_BYTES) {
      this.disconnect();
      return;
    }
    this.response.write(text);
    this.budget.addWrittenBytes(text.length);
  }
}
