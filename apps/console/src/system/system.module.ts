import { type DynamicModule, Module } from '@nestjs/common';
import { PipelineService } from './pipeline.service.js';
import { ProcessesRepository } from './processes.repository.js';
import { QueueService } from './queue.service.js';
import { RULES_URL, RulesHealthService } from './rules-health.service.js';
import { SystemController } from './system.controller.js';
import { SystemRepository } from './system.repository.js';

/** How the instance is: processes, queue, disk. */
@Module({})
export class SystemModule {
  /** @param rulesUrl address of the rules service; null where it runs in this process. */
  static forRoot(rulesUrl: string | null): DynamicModule {
    return {
      module: SystemModule,
      controllers: [SystemController],
      providers: [
        SystemRepository,
        ProcessesRepository,
        PipelineService,
        QueueService,
        RulesHealthService,
        { provide: RULES_URL, useValue: rulesUrl },
      ],
    };
  }
}
