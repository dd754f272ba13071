import { Module } from '@nestjs/common';
import { ProjectSettingsRepository } from './project-settings.repository.js';
import { RobotsVersionsRepository } from './robots-versions.repository.js';
import { RobotsService } from './robots.service.js';
import { VisitInsights } from './visit-insights.js';

/** Provides {@link VisitInsights} and its repositories. Requires a database and a {@link CurrentCatalog}. */
@Module({
  providers: [ProjectSettingsRepository, RobotsService, RobotsVersionsRepository, VisitInsights],
  exports: [ProjectSettingsRepository, VisitInsights],
})
export class InsightsModule {}
