import { Catch, type RpcExceptionFilter, UseFilters } from '@nestjs/common';
import { EventPattern, Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { lastValueFrom, throwError, type Observable } from 'rxjs';
import type { Bus, HandlerContext } from './bus.js';
import type { Outcome } from './outcome.js';
import type { Topic } from './topic.js';

/** Passes a handler's error to the bus unchanged. Otherwise, Nest would replace it with "Internal server error". */
@Catch()
class OriginalErrorFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Registers a controller method as a consumer group's handler for a topic.
 *
 * The method receives a batch of values as `@Payload()` and the {@link HandlerContext} as `@Ctx()`. It returns one
 * {@link Outcome} per value, in order.
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
 * Nest transport for a {@link Bus}. It subscribes the controllers' {@link ConsumeBatch} methods.
 *
 * Nest's own Kafka transport delivers messages one at a time, passes invalid JSON on as text and retries without limit.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  constructor(private readonly bus: Bus) {
    super();
  }

  // The base class allows one handler per pattern. Here, each consumer group has its own handler for a topic.
  override addHandler(
    _pattern: unknown,
    callback: MessageHandler,
    _isEventHandler?: boolean,
    extras: Record<string, unknown> = {},
  ): void {
    const { topic, group } = extras as { topic?: Topic<unknown>; group?: string };
    if (topic === undefined || group === undefined) {
      throw new Error('declare bus handlers with @ConsumeBatch(topic, group)');
    }
    this.bus.subscribe({
      topic,
      group,
      handler: (values, context) => this.callHandler(callback, values, context),
    });
  }

  listen(callback: (error?: unknown) => void): void {
    this.bus.start().then(() => callback(), callback);
  }

  async close(): Promise<void> {
    await this.bus.close();
  }

  // This transport emits no events because the bus reports connection problems through `Bus.fault()`.
  on(): void {}

  unwrap<T>(): T {
    return this.bus as T;
  }

  /**
   * Nest may wrap the result in a stream, for example after an error. The stream's last value contains the outcomes.
   */
  private callHandler(
    callback: MessageHandler,
    values: readonly unknown[],
    context: HandlerContext,
  ): Promise<readonly Outcome[]> {
    return lastValueFrom(this.transformToObservable(callback(values, context) as Promise<readonly Outcome[]>));
  }
}
