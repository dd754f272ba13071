import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Health } from './health.js';
import type { Logger } from './logger.js';
import { OperationsController } from './operations.controller.js';
import { OPERATOR_TOKENS } from './operator-access.js';
import type { TracingOptions } from './tracing/tracing-settings.js';
import { UntrustedForwarders } from './untrusted-forwarders.js';

/** Injection token of the process' logger. */
export const LOGGER = Symbol('logger');

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Injection token of the process' {@link Clock}. */
export const CLOCK = Symbol('clock');

interface PlatformOptions {
  /** Of whatever judges by the time; the system's unless given. */
  clock?: Clock | undefined;
  /** What metrics and the details of readiness can be read with from elsewhere; unset ones do not count. */
  operatorTokens?: readonly (string | undefined)[];
  /** Nothing of it is loaded unless given. */
  tracing?: TracingOptions | null;
}

/** Injection token of what ends tracing. */
const END_TRACING = Symbol('end of tracing');

/** Logger, clock, health and the routes of operations, for every service. */
@Global()
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(@Inject(END_TRACING) private readonly endTracing: () => Promise<void>) {}

  static forRoot(
    logger: Logger,
    { clock = Date.now, operatorTokens = [], tracing = null }: PlatformOptions = {},
  ): DynamicModule {
    const tokens = operatorTokens.filter((token) => token !== undefined);
    return {
      module: PlatformModule,
      controllers: [OperationsController],
      providers: [
        Health,
        UntrustedForwarders,
        { provide: LOGGER, useValue: logger },
        { provide: CLOCK, useValue: clock },
        { provide: OPERATOR_TOKENS, useValue: tokens },
        { provide: END_TRACING, useFactory: () => startTracing(tracing, logger) },
      ],
      exports: [Health, UntrustedForwarders, LOGGER, CLOCK],
    };
  }

  /** The last spans are those of requests that were finished meanwhile. */
  onApplicationShutdown(): Promise<void> {
    return this.endTracing();
  }
}

async function startTracing(options: TracingOptions | null, logger: Logger): Promise<() => Promise<void>> {
  if (options === null) return () => Promise.resolve();
  const { startOpenTelemetry } = await import('./tracing/open-telemetry.js');
  return startOpenTelemetry(options, logger);
}
