import { Module } from '@nestjs/common';
import { PolicyModule } from '../policy/policy.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { RobotsVersionsModule } from '../robots-versions/robots-versions.module.js';
import { DemoPublisher } from './demo-publisher.js';
import { DemoController } from './demo.controller.js';
import { DemoRepository } from './demo.repository.js';
import { DemoService } from './demo.service.js';
import { LiveDemoService } from './live-demo.service.js';

@Module({
  imports: [PolicyModule, ProjectsModule, RobotsVersionsModule],
  controllers: [DemoController],
  providers: [DemoRepository, DemoPublisher, DemoService, LiveDemoService],
})
export class DemoModule {}
