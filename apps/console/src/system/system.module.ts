import { type DynamicModule, Module } from '@nestjs/common';
import type { ServiceClientOptions } from '#libs/catalog';
import { PipelineService } from './pipeline.service.js';
import { ProcessesRepository } from './processes.repository.js';
import { QueueService } from './queue.service.js';
import { RULES_SERVICE, RulesHealthService } from './rules-health.service.js';
import { SystemController } from './system.controller.js';
import { SystemRepository } from './system.repository.js';

/** How the instance is: processes, queue, disk. */
@Module({})
export class SystemModule {
  /** @param rules where the rules service is; null where it runs in this process. */
  static forRoot(rules: ServiceClientOptions | null): DynamicModule {
    return {
      module: SystemModule,
      controllers: [SystemController],
      providers: [
        SystemRepository,
        ProcessesRepository,
        PipelineService,
        QueueService,
        RulesHealthService,
        { provide: RULES_SERVICE, useValue: rules },
      ],
    };
  }
}
