import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Health } from './health.js';
import type { Logger } from './logger.js';
import { OperationsController } from './operations.controller.js';
import { UntrustedForwarders } from './untrusted-forwarders.js';

/** Injection token of the process' logger. */
export const LOGGER = Symbol('logger');

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Injection token of the process' {@link Clock}. */
export const CLOCK = Symbol('clock');

/** Logger, clock, health and the routes of operations, for every service. */
@Global()
@Module({})
export class PlatformModule {
  /** @param clock of whatever judges by the time; the system's unless given. */
  static forRoot(logger: Logger, clock: Clock = Date.now): DynamicModule {
    return {
      module: PlatformModule,
      controllers: [OperationsController],
      providers: [
        Health,
        UntrustedForwarders,
        { provide: LOGGER, useValue: logger },
        { provide: CLOCK, useValue: clock },
      ],
      exports: [Health, UntrustedForwarders, LOGGER, CLOCK],
    };
  }
}
