import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Health } from './health.js';
import type { Logger } from './logger.js';
import { OperationsController } from './operations.controller.js';

/** Injection token of the process' logger. */
export const LOGGER = Symbol('logger');

/** Logger, health and the routes of operations, for every service. */
@Global()
@Module({})
export class PlatformModule {
  static forRoot(logger: Logger): DynamicModule {
    return {
      module: PlatformModule,
      controllers: [OperationsController],
      providers: [Health, { provide: LOGGER, useValue: logger }],
      exports: [Health, LOGGER],
    };
  }
}
