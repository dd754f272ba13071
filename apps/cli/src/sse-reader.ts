import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { HttpError, isTransient } from './cli-error.js';

/** Event in a `text/event-stream` (WHATWG HTML, section 9.2). */
export interface ServerEvent {
  event: string;
  data: string;
  /** Last event ID received so far, for resuming the stream. */
  id: string | undefined;
}

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
  /**
   * Opens the stream, after the event `lastEventId` if it's set. It must fail if the instance sends nothing for too
   * long.
   */
  open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;
  signal: AbortSignal;
  /**
   * Called each time a connection opens. `again` is true for a reconnection. `resumed` is true if the stream continues
   * after the last event received.
   */
  onOpen?: (state: { again: boolean; resumed: boolean }) => void | Promise<void>;
  /** Called when a connection is lost or a reconnection fails, before the next attempt. */
  onLost?: (error: unknown) => void;
  /** Delay before the first reconnection, in milliseconds. Default: 500. */
  firstDelayMs?: number;
}

/**
 * Reads events. After a lost connection, reconnects with backoff and resumes after the last event.
 *
 * @throws if the first connection fails, or if a retry can't succeed, for example because the API key was revoked.
 */
export async function* readEvents(options: EventSourceOptions): AsyncGenerator<ServerEvent> {
  const { signal } = options;
  let lastEventId: string | undefined;
  let wasOpen = false;
  let failures = 0;
  while (!signal.aborted) {
    const connection = new AbortController();
    try {
      const bytes = await options.open(lastEventId, AbortSignal.any([signal, connection.signal]));
      await options.onOpen?.({ again: wasOpen, resumed: lastEventId !== undefined });
      wasOpen = true;
      failures = 0;
      for await (const event of parseEvents(bytes)) {
        lastEventId = event.id ?? lastEventId;
        yield event;
      }
      if (!signal.aborted) options.onLost?.(new Error('the stream ended'));
    } catch (error) {
      if (signal.aborted) return;
      if (!wasOpen || (error instanceof HttpError && !isTransient(error))) throw error;
      options.onLost?.(error);
    } finally {
      connection.abort();
    }
    const wait = Math.min(MAX_DELAY_MS, (options.firstDelayMs ?? FIRST_DELAY_MS) * 2 ** failures);
    failures += 1;
    await sleep(wait * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }
}
