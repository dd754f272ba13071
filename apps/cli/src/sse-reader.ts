import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { HttpError, isTransient } from './cli-error.js';

/** One event of a `text/event-stream` (WHATWG HTML, section 9.2). */
export interface ServerEvent {
  event: string;
  data: string;
  /** Id of the last event that had one; where to resume. */
  id: string | undefined;
}

/** Milliseconds of silence after which a connection counts as dead; instances send comments far more often. */
const SILENCE_TIMEOUT_MS = 90_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;

/** Parses the bytes of an event stream. */
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
  /** Opens the stream, from behind `lastEventId` where there is one. */
  open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;
  /** Ends the reading. */
  signal: AbortSignal;
  /** Called when connected; `resumed` tells that the stream goes on without a gap. */
  onOpen?: (state: { again: boolean; resumed: boolean }) => void | Promise<void>;
  /** Called when the connection is gone, or could not be had; another try follows. */
  onLost?: (error: unknown) => void;
  /** Milliseconds. */
  silence?: number;
  firstWait?: number;
}

/**
 * Reads events, and connects again (from the last event's id, with back-off) when the connection is lost.
 *
 * @throws what the very first connection fails with, and later what no other try can mend, such as a revoked key.
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

/** Ends a connection on which no data for too long, not even a comment. */
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
