import { type DynamicModule, Module } from '@nestjs/common';
import { RulesApi } from '#libs/catalog';
import { RulesController } from './rules.controller.js';
import { RulesService } from './rules.service.js';

interface RulesOptions {
  /** Whether other services ask over HTTP; then their secret has to guard it. */
  isServed: boolean;
}

/** Rules for agents: robots.txt and lists of user agent tokens. */
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
