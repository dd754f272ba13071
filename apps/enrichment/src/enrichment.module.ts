import { Module } from '@nestjs/common';
import { EnrichmentConsumer } from './enrichment.consumer.js';
import { EnrichmentPipeline } from './enrichment.pipeline.js';
import { ProjectSettingsRepository } from './project-settings.repository.js';
import { ProjectSettingsService } from './project-settings.service.js';
import { RobotsVersionsRepository } from './robots-versions.repository.js';
import { RobotsService } from './robots.service.js';

/** visits.received → identification → visits.enriched. */
@Module({
  controllers: [EnrichmentConsumer],
  providers: [
    EnrichmentPipeline,
    ProjectSettingsRepository,
    ProjectSettingsService,
    RobotsService,
    RobotsVersionsRepository,
  ],
})
export class EnrichmentModule {}
