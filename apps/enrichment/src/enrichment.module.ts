import { Module } from '@nestjs/common';
import { InsightsModule } from '#libs/enrichment';
import { EnrichmentConsumer } from './enrichment.consumer.js';
import { EnrichmentPipeline } from './enrichment.pipeline.js';
import { PolicyProofsService } from './policy-proofs.service.js';
import { ProjectSettingsService } from './project-settings.service.js';

@Module({
  controllers: [EnrichmentConsumer],
  imports: [InsightsModule],
  providers: [EnrichmentPipeline, PolicyProofsService, ProjectSettingsService],
})
export class EnrichmentModule {}
