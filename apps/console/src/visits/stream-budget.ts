import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';

const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

export interface BudgetedStream {
  readonly unsentBytes: number;
  /** Disconnects the client, which then reconnects and resumes. */
  disconnect(): void;
}

/** Returns the number of unsent bytes in all of the process's streams. */
let getUnsentBytes = (): number => 0;

const metrics: { unsent: Gauge } = {
  unsent: new Gauge({
    name: 'agent_traffic_console_stream_unsent_bytes',
    help: 'Unsent bytes in live streams',
    collect(): void {
      metrics.unsent.set(getUnsentBytes());
    },
  }),
};

/** Limits the memory used for data that slow clients haven't read yet. */
@Injectable()
export class StreamBudget {
  private readonly streams = new Set<BudgetedStream>();
  maxBytes = MAX_UNSENT_BYTES;
  /** Upper bound for the unsent bytes. Measuring all streams on each write would cost more than the write itself. */
  private unsentUpperBound = 0;

  constructor() {
    getUnsentBytes = () => this.unsentBytes;
  }

  /** @returns A function to call when the stream ends. */
  add(stream: BudgetedStream): () => void {
    this.streams.add(stream);
    return () => void this.streams.delete(stream);
  }

  addWrittenBytes(bytes: number): void {
    this.unsentUpperBound += bytes;
  }

  /**
   * Disconnects the slowest streams if all streams together exceed the budget. Must be called before writing.
   */
  async enforce(): Promise<void> {
    if (this.unsentUpperBound <= this.maxBytes) return;
    // Wait a tick, because data that sockets accept immediately still counts as unsent at first.
    await setImmediate();
    const slowest = [...this.streams].toSorted((one, other) => other.unsentBytes - one.unsentBytes);
    this.unsentUpperBound = this.unsentBytes;
    for (const stream of slowest) {
      if (this.unsentUpperBound <= this.maxBytes) return;
      this.unsentUpperBound -= stream.unsentBytes;
      stream.disconnect();
    }
  }

  get unsentBytes(): number {
    let bytes = 0;
    for (const stream of this.streams) bytes += stream.unsentBytes;
    return bytes;
  }
}
