import { type DynamicModule, Module } from '@nestjs/common';
import { RulesApi } from '#libs/catalog';
import { RulesController } from './rules.controller.js';
import { RulesService } from './rules.service.js';

interface RulesOptions {
  /** True to serve the rules to other services over HTTP. The app must then require the internal secret. */
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
