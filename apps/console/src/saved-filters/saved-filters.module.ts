import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { SavedFiltersController } from './saved-filters.controller.js';
import { SavedFiltersRepository } from './saved-filters.repository.js';

@Module({
  imports: [ProjectsModule],
  controllers: [SavedFiltersController],
  providers: [SavedFiltersRepository],
})
export class SavedFiltersModule {}
