import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { RobotsVersionsModule } from '../robots-versions/robots-versions.module.js';
import { DemoController } from './demo.controller.js';
import { DemoRepository } from './demo.repository.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [ProjectsModule, RobotsVersionsModule],
  controllers: [DemoController],
  providers: [DemoRepository, DemoService],
})
export class DemoModule {}
