import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Health } from './health.js';
import type { Logger } from './logger.js';
import { OperationsController } from './operations.controller.js';
import { OPERATOR_TOKENS } from './operator-access.js';
import type { TracingOptions } from './tracing/tracing-settings.js';
import { UntrustedForwarders } from './untrusted-forwarders.js';

export const LOGGER = Symbol('logger');

/** Returns the time in milliseconds since the epoch. */
export type Clock = () => number;

export const CLOCK = Symbol('clock');

interface PlatformOptions {
  /** Default: the system clock. */
  clock?: Clock | undefined;
  /** Bearer tokens for reading metrics and readiness details from other machines. Undefined entries are ignored. */
  operatorTokens?: readonly (string | undefined)[];
  /** Default: null. OpenTelemetry is loaded only if this is set. */
  tracing?: TracingOptions | null;
}

const STOP_TRACING = Symbol('end of tracing');

@Global()
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(@Inject(STOP_TRACING) private readonly stopTracing: () => Promise<void>) {}

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
        { provide: STOP_TRACING, useFactory: () => startTracing(tracing, logger) },
      ],
      exports: [Health, UntrustedForwarders, LOGGER, CLOCK],
    };
  }

  /** Stops tracing last, so spans of requests that finish during shutdown are exported. */
  onApplicationShutdown(): Promise<void> {
    return this.stopTracing();
  }
}

async function startTracing(options: TracingOptions | null, logger: Logger): Promise<() => Promise<void>> {
  if (options === null) return () => Promise.resolve();
  const { startOpenTelemetry } = await import('./tracing/open-telemetry.js');
  return startOpenTelemetry(options, logger);
}
