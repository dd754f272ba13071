import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';

const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

export interface BudgetedStream {
  readonly unsentBytes: number;
  /** Ends the stream. Its client reconnects, and resumes where it was. */
  cutOff(): void;
}

/** Measures the streams of this process. */
let unsentBytes = (): number => 0;

const metrics: { unsent: Gauge } = {
  unsent: new Gauge({
    name: 'agent_traffic_console_stream_unsent_bytes',
    help: 'Unsent bytes of live streams',
    collect(): void {
      metrics.unsent.set(unsentBytes());
    },
  }),
};

/** Bounds the memory that clients take by not reading, over all streams of the process. */
@Injectable()
export class StreamBudget {
  private readonly streams = new Set<BudgetedStream>();
  /** Bytes that all streams of the process may have written and not sent. */
  maxBytes = MAX_UNSENT_BYTES;
  /** At least what is unsent: measuring all streams for each write would cost more than the write. */
  private bytes = 0;

  constructor() {
    unsentBytes = () => this.unsentBytes;
  }

  /** @returns a function to call when the stream has ended. */
  add(stream: BudgetedStream): () => void {
    this.streams.add(stream);
    return () => void this.streams.delete(stream);
  }

  wrote(bytes: number): void {
    this.bytes += bytes;
  }

  /** Call before more is written. Resolves once all streams are within the budget, cutting off the slowest if need be. */
  async settle(): Promise<void> {
    if (this.bytes <= this.maxBytes) return;
    // What sockets take at once still counts until then.
    await turn();
    const slowest = [...this.streams].toSorted((one, other) => other.unsentBytes - one.unsentBytes);
    this.bytes = this.unsentBytes;
    for (const stream of slowest) {
      if (this.bytes <= this.maxBytes) return;
      this.bytes -= stream.unsentBytes;
      stream.cutOff();
    }
  }

  get unsentBytes(): number {
    let bytes = 0;
    for (const stream of this.streams) bytes += stream.unsentBytes;
    return bytes;
  }
}
