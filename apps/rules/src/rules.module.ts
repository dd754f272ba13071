import { type DynamicModule, Module } from '@nestjs/common';
import { RulesApi } from '#libs/catalog';
import { RulesController } from './rules.controller.js';
import { RulesService } from './rules.service.js';

interface RulesOptions {
  /** Whether other services access the rules over HTTP. If so, the app must require the internal secret. */
  isServed: boolean;
}

@Module({})
export class RulesModule {
  static forRoot({ isServed }: RulesOptions): DynamicModule {
    return {
      module: RulesModule,
      global: true,
      controllers: isServed ? [RulesController] : [],
      providers: [RulesService, { provide: RulesApi, useExisting: RulesService }],
      exports: [RulesApi],
    };
  }
}
