import { Catch, type RpcExceptionFilter, UseFilters } from '@nestjs/common';
import { EventPattern, Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { lastValueFrom, throwError, type Observable } from 'rxjs';
import type { Bus, Outcome, ReceivedMessage } from './bus.js';

/** Nest replaces what a handler throws by "Internal server error"; the bus has to see the error itself. A filter answers with a stream. */
@Catch()
class OriginalErrorFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Marks a controller's method as the handler of a topic for a consumer group. It is given the whole batch
 * and returns one {@link Outcome} a message.
 */
export function ConsumeBatch(topic: string, group: string) {
  const decorate = EventPattern(topic, { group });
  return (target: object, name: string | symbol, method: TypedPropertyDescriptor<ConsumerMethod>): void => {
    decorate(target, name, method as TypedPropertyDescriptor<(data: object) => unknown>);
    UseFilters(OriginalErrorFilter)(target, name, method);
  };
}

type ConsumerMethod = (messages: ReceivedMessage[]) => Promise<Outcome[]>;

/**
 * Nest's transport over a {@link Bus}: takes the `@EventPattern` handlers of the controllers and subscribes
 * them. Nest's own Kafka transport hands out one message at a time, with broken JSON as text and no bound on
 * retries, so it is not used.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  constructor(private readonly bus: Bus) {
    super();
  }

  // The base class keeps one handler a pattern; here each consumer group has its own.
  override addHandler(
    pattern: unknown,
    callback: MessageHandler,
    _isEventHandler?: boolean,
    extras: Record<string, unknown> = {},
  ): void {
    const group = extras['group'];
    if (typeof pattern !== 'string' || typeof group !== 'string') {
      throw new Error('a handler of the bus is declared with @ConsumeBatch(topic, group)');
    }
    this.bus.subscribe({ topic: pattern, group, handler: (messages) => this.outcomesOf(callback, messages) });
  }

  listen(callback: (error?: unknown) => void): void {
    this.bus.start().then(() => callback(), callback);
  }

  async close(): Promise<void> {
    await this.bus.close();
  }

  // There are no connection events to listen to: see Bus.fault.
  on(): void {}

  unwrap<T>(): T {
    return this.bus as T;
  }

  /** Nest lets a handler answer with a stream, as it does itself with an error; a batch has one answer: the last value. */
  private outcomesOf(callback: MessageHandler, messages: readonly ReceivedMessage[]): Promise<readonly Outcome[]> {
    return lastValueFrom(this.transformToObservable(callback(messages, undefined) as Promise<readonly Outcome[]>));
  }
}
