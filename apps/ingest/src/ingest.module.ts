import { type DynamicModule, Module } from '@nestjs/common';
import { InsightsModule } from '#libs/enrichment';
import { VisitStoreModule } from '#libs/visit-store';
import { CountSumsService } from './count-sums.service.js';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { defaultIngestSettings } from './env.js';
import { IngestConsumer } from './ingest.consumer.js';
import { INGEST_SETTINGS, type IngestSettings } from './ingest-settings.js';
import { IngestPipeline } from './ingest.pipeline.js';
import { Pace } from './reidentification/pace.js';
import { ReidentificationService } from './reidentification/reidentification.service.js';
import { RemovedProjectsService } from './removed-projects.service.js';
import { InstanceSettingsRepository } from './instance-settings.repository.js';
import { RetentionSetting } from './retention-setting.service.js';
import { RetentionService } from './retention.service.js';
import { RobotsVersionsRepository } from './robots-versions.repository.js';

/** visits.enriched → PostgreSQL, counts, realtime; dead letters → PostgreSQL. Identifies stored visits again. Needs an {@link Identifier}. */
@Module({})
export class IngestModule {
  /** @param settings missing ones have their defaults. */
  static forRoot(settings: Partial<IngestSettings>): DynamicModule {
    return {
      module: IngestModule,
      imports: [InsightsModule, VisitStoreModule],
      controllers: [IngestConsumer],
      providers: [
        IngestPipeline,
        RetentionService,
        CountSumsService,
        RetentionSetting,
        InstanceSettingsRepository,
        RemovedProjectsService,
        RobotsVersionsRepository,
        DeadLettersRepository,
        ReidentificationService,
        Pace,
        { provide: INGEST_SETTINGS, useValue: { ...defaultIngestSettings(), ...settings } },
      ],
    };
  }
}
