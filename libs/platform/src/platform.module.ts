import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Health } from './health.js';
import type { Logger } from './logger.js';
import { OperationsController } from './operations.controller.js';
import { OPERATOR_TOKENS } from './operator-access.js';
import { UntrustedForwarders } from './untrusted-forwarders.js';

/** Injection token of the process' logger. */
export const LOGGER = Symbol('logger');

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Injection token of the process' {@link Clock}. */
export const CLOCK = Symbol('clock');

export interface PlatformOptions {
  /** Of whatever judges by the time; the system's unless given. */
  clock?: Clock | undefined;
  /** What metrics and the details of readiness can be read with from elsewhere; unset ones do not count. */
  operatorTokens?: readonly (string | undefined)[];
}

/** Logger, clock, health and the routes of operations, for every service. */
@Global()
@Module({})
export class PlatformModule {
  static forRoot(logger: Logger, { clock = Date.now, operatorTokens = [] }: PlatformOptions = {}): DynamicModule {
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
      ],
      exports: [Health, UntrustedForwarders, LOGGER, CLOCK],
    };
  }
}
