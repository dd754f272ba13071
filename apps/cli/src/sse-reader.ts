import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { HttpError, isTransient } from './cli-error.js';

/** An event in a `text/event-stream` (WHATWG HTML, section 9.2). */
export interface ServerEvent {
  event: string;
  data: string;
  /** Last event ID seen so far, to resume from. */
  id: string | undefined;
}

/** Time without data after which a connection counts as dead. Instances send comments much more often. */
const SILENCE_TIMEOUT_MS = 90_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;

export async function* parseEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let events: ServerEvent[] = [];
  let id: string | undefined;
  const parser = createParser({
    onEvent: (message) => {
      id = message.id ?? id;
      events.push({ event: message.event ?? 'message', data: message.data, id });
    },
  });
  for await (const part of bytes) {
    parser.feed(decoder.decode(part, { stream: true }));
    yield* events;
    events = [];
  }
}

export interface EventSourceOptions {
  /** Opens the stream, starting after `lastEventId` if it's set. */
  open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;
  signal: AbortSignal;
  /**
   * Called for each connection. `again` is true for reconnections, and `resumed` if the stream continues after the last
   * event.
   */
  onOpen?: (state: { again: boolean; resumed: boolean }) => void | Promise<void>;
  /** Called when a connection is lost, or a reconnection fails. Another attempt follows. */
  onLost?: (error: unknown) => void;
  /** Milliseconds. */
  silence?: number;
  firstWait?: number;
}

/**
 * Reads events. If the connection is lost, reconnects with backoff and resumes after the last event.
 *
 * @throws if the first connection fails, or if retrying is pointless, e.g. because the key was revoked.
 */
export async function* readEvents(options: EventSourceOptions): AsyncGenerator<ServerEvent> {
  const { signal } = options;
  let lastEventId: string | undefined;
  let wasOpen = false;
  let failures = 0;
  while (!signal.aborted) {
    const watch = new Watch(options.silence ?? SILENCE_TIMEOUT_MS, signal);
    try {
      const bytes = await options.open(lastEventId, watch.signal);
      await options.onOpen?.({ again: wasOpen, resumed: lastEventId !== undefined });
      wasOpen = true;
      failures = 0;
      for await (const event of parseEvents(watch.over(bytes))) {
        lastEventId = event.id ?? lastEventId;
        yield event;
      }
      if (!signal.aborted) options.onLost?.(new Error('the stream ended'));
    } catch (error) {
      if (signal.aborted) return;
      if (!wasOpen || (error instanceof HttpError && !isTransient(error))) throw error;
      options.onLost?.(error);
    } finally {
      watch.stop();
    }
    const wait = Math.min(MAX_DELAY_MS, (options.firstWait ?? FIRST_DELAY_MS) * 2 ** failures);
    failures += 1;
    await sleep(wait * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }
}

/** Aborts a connection that receives no data for too long, not even comments. */
class Watch {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  readonly signal: AbortSignal;

  constructor(
    private readonly silence: number,
    outer: AbortSignal,
  ) {
    this.signal = AbortSignal.any([outer, this.controller.signal]);
  }

  async *over(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.restart();
    for await (const part of bytes) {
      this.restart();
      yield part;
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.controller.abort();
  }

  private restart(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.controller.abort(new Error('no data for too long')), this.silence);
  }
}
