import { Catch, type RpcExceptionFilter, UseFilters } from '@nestjs/common';
import { EventPattern, Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { lastValueFrom, throwError, type Observable } from 'rxjs';
import type { Bus, HandlerContext } from './bus.js';
import type { Outcome } from './outcome.js';
import type { Topic } from './topic.js';

/** Nest replaces what a handler throws by "Internal server error"; the bus has to see the error itself. A filter answers with a stream. */
@Catch()
class OriginalErrorFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Marks a controller's method as the handler of a topic for a consumer group. It gets a batch of values as `@Payload()`
 * and the {@link HandlerContext} as `@Ctx()`, and returns one {@link Outcome} per value.
 */
export function ConsumeBatch<T>(topic: Topic<T>, group: string) {
  const decorate = EventPattern(topic.name, { topic, group });
  return <M extends ConsumerMethod<T>>(
    target: object,
    name: string | symbol,
    method: TypedPropertyDescriptor<M>,
  ): void => {
    decorate(target, name, method as unknown as TypedPropertyDescriptor<(data: object) => unknown>);
    UseFilters(OriginalErrorFilter)(target, name, method);
  };
}

type ConsumerMethod<T> = (values: T[], context: HandlerContext) => Promise<Outcome[]>;

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
    _pattern: unknown,
    callback: MessageHandler,
    _isEventHandler?: boolean,
    extras: Record<string, unknown> = {},
  ): void {
    const { topic, group } = extras as { topic?: Topic<unknown>; group?: string };
    if (topic === undefined || group === undefined) {
      throw new Error('a handler of the bus is declared with @ConsumeBatch(topic, group)');
    }
    this.bus.subscribe({
      topic,
      group,
      handler: (values, context) => this.outcomesOf(callback, values, context),
    });
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
  private outcomesOf(
    callback: MessageHandler,
    values: readonly unknown[],
    context: HandlerContext,
  ): Promise<readonly Outcome[]> {
    return lastValueFrom(this.transformToObservable(callback(values, context) as Promise<readonly Outcome[]>));
  }
}
