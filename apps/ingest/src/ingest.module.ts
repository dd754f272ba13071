import { type DynamicModule, Module } from '@nestjs/common';
import { InsightsModule } from '#libs/enrichment';
import { CheckoutsRepository } from './checkouts.repository.js';
import { CountSumsRepository } from './count-sums.repository.js';
import { CountSumsService } from './count-sums.service.js';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { IngestConsumer } from './ingest.consumer.js';
import { INGEST_SETTINGS, type IngestSettings } from './ingest-settings.js';
import { IngestPipeline } from './ingest.pipeline.js';
import { PartitionsRepository } from './partitions.repository.js';
import { MovedCountsRepository } from './reidentification/moved-counts.repository.js';
import { Pace } from './reidentification/pace.js';
import { ReidentificationService } from './reidentification/reidentification.service.js';
import { ReidentificationsRepository } from './reidentification/reidentifications.repository.js';
import { ReidentifiedVisitsRepository } from './reidentification/reidentified-visits.repository.js';
import { RemovedProjectsRepository } from './removed-projects.repository.js';
import { RemovedProjectsService } from './removed-projects.service.js';
import { InstanceSettingsRepository } from './instance-settings.repository.js';
import { RetentionSetting } from './retention-setting.service.js';
import { RetentionService } from './retention.service.js';
import { RobotsVersionsRepository } from './robots-versions.repository.js';
import { VisitFormsRepository } from './visit-forms.repository.js';
import { VisitsRepository } from './visits.repository.js';

/** visits.enriched → PostgreSQL, counts, realtime; dead letters → PostgreSQL. Identifies stored visits again. Needs an {@link Identifier}. */
@Module({})
export class IngestModule {
  static forRoot(settings: IngestSettings): DynamicModule {
    return {
      module: IngestModule,
      imports: [InsightsModule],
      controllers: [IngestConsumer],
      providers: [
        IngestPipeline,
        RetentionService,
        CheckoutsRepository,
        CountSumsRepository,
        CountSumsService,
        RetentionSetting,
        InstanceSettingsRepository,
        RemovedProjectsRepository,
        RemovedProjectsService,
        RobotsVersionsRepository,
        VisitsRepository,
        VisitFormsRepository,
        PartitionsRepository,
        DeadLettersRepository,
        ReidentificationService,
        ReidentificationsRepository,
        ReidentifiedVisitsRepository,
        MovedCountsRepository,
        Pace,
        { provide: INGEST_SETTINGS, useValue: settings },
      ],
    };
  }
}
