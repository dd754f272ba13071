import { type DynamicModule, Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { VisitsModule } from '../visits/visits.module.js';
import { AuditExpiryService } from './audit-expiry.service.js';
import { AuditOutboxRepository } from './audit-outbox.repository.js';
import { AuditPublisher, AuditOutboxDisabler } from './audit-publisher.service.js';
import { AuditController } from './audit.controller.js';
import { RejectionsRepository } from './rejections.repository.js';
import { AuditRepository } from './audit.repository.js';

@Module({
  imports: [ProjectsModule, VisitsModule],
  controllers: [AuditController],
  providers: [AuditRepository, AuditOutboxRepository, AuditExpiryService, RejectionsRepository],
  exports: [AuditRepository, RejectionsRepository],
})
export class AuditModule {
  /** @param hasQueue Whether to publish entries to Kafka. */
  static forRoot(hasQueue: boolean): DynamicModule {
    return { module: AuditModule, providers: [hasQueue ? AuditPublisher : AuditOutboxDisabler] };
  }
}
