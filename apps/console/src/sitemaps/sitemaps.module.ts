import { Module } from '@nestjs/common';
import { CoverageRepository } from '#libs/visit-store';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReadsModule } from '../reads/reads.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { CoverageController } from './coverage.controller.js';
import { CoverageService } from './coverage.service.js';
import { SitemapsController } from './sitemaps.controller.js';
import { SitemapsRepository } from './sitemaps.repository.js';
import { SitemapsService } from './sitemaps.service.js';

@Module({
  imports: [ProjectsModule, ReadsModule, StatisticsModule],
  controllers: [SitemapsController, CoverageController],
  providers: [SitemapsRepository, SitemapsService, CoverageRepository, CoverageService],
  exports: [SitemapsRepository],
})
export class SitemapsModule {}
