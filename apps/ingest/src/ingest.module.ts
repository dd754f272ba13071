import { type DynamicModule, Module } from '@nestjs/common';
import { InsightsModule } from '#libs/enrichment';
import { PageFetchesRepository } from './page-fetches/page-fetches.repository.js';
import { ExpiredPagesService } from './page-fetches/expired-pages.service.js';
import { PageFetchesService } from './page-fetches/page-fetches.service.js';
import { CountSumsService } from './count-sums.service.js';
import { DeadLettersRepository } from './dead-letters.repository.js';
import { defaultIngestSettings } from './env.js';
import { ExpiredVisits } from './expired-visits.service.js';
import { IngestConsumer } from './ingest.consumer.js';
import { INGEST_SETTINGS, type IngestSettings } from './ingest-settings.js';
import { IngestPipeline } from './ingest.pipeline.js';
import { PendingVisitsService } from './pending-visits.service.js';
import { ReidentificationThrottle } from './reidentification/reidentification-throttle.js';
import { ReidentificationService } from './reidentification/reidentification.service.js';
import { RemovedProjectsService } from './removed-projects.service.js';
import { InstanceSettingsRepository } from './instance-settings.repository.js';
import { RetentionSetting } from './retention-setting.service.js';
import { RetentionService } from './retention.service.js';
import { RobotsVersionsRepository } from './robots-versions.repository.js';

/**
 * Stores and counts enriched visits, notifies live streams, stores dead letters, and re-identifies stored visits.
 * Requires an {@link Identifier}.
 */
@Module({})
export class IngestModule {
  /** @param settings Overrides for the default settings. */
  static forRoot(settings: Partial<IngestSettings>): DynamicModule {
    return {
      module: IngestModule,
      imports: [InsightsModule],
      controllers: [IngestConsumer],
      providers: [
        IngestPipeline,
        ExpiredVisits,
        PendingVisitsService,
        RetentionService,
        CountSumsService,
        PageFetchesService,
        ExpiredPagesService,
        PageFetchesRepository,
        RetentionSetting,
        InstanceSettingsRepository,
        RemovedProjectsService,
        RobotsVersionsRepository,
        DeadLettersRepository,
        ReidentificationService,
        ReidentificationThrottle,
        { provide: INGEST_SETTINGS, useValue: { ...defaultIngestSettings(), ...settings } },
      ],
    };
  }
}
