import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { ProjectRulesController } from './project-rules.controller.js';
import { ProjectRulesRepository } from './project-rules.repository.js';

/** Rules for robots.txt and servers, previewed and saved. */
@Module({ imports: [ProjectsModule], controllers: [ProjectRulesController], providers: [ProjectRulesRepository] })
export class RulesModule {}
