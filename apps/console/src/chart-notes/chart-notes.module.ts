import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { ChartNotesController } from './chart-notes.controller.js';
import { ChartNotesRepository } from './chart-notes.repository.js';

@Module({
  imports: [ProjectsModule],
  controllers: [ChartNotesController],
  providers: [ChartNotesRepository],
})
export class ChartNotesModule {}
