import { Module } from '@nestjs/common';
import { PolicyModule } from '../policy/policy.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { RobotsVersionsModule } from '../robots-versions/robots-versions.module.js';
import { SitemapsModule } from '../sitemaps/sitemaps.module.js';
import { DemoPublisher } from './demo-publisher.js';
import { DemoSiteFiles } from './demo-site-files.js';
import { DemoController } from './demo.controller.js';
import { DemoRepository } from './demo.repository.js';
import { DemoService } from './demo.service.js';
import { LiveDemoService } from './live-demo.service.js';

@Module({
  imports: [PolicyModule, ProjectsModule, RobotsVersionsModule, SitemapsModule],
  controllers: [DemoController],
  providers: [DemoRepository, DemoPublisher, DemoSiteFiles, DemoService, LiveDemoService],
})
export class DemoModule {}
