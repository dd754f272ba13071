import { Controller, Get } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { CatalogueSummary } from '#libs/contracts';
import { CatalogueSummaryRepository } from './catalogue-summary.repository.js';

/** The list of agents as a whole. */
@Controller('api/catalogue')
export class CatalogueController {
  constructor(private readonly summaries: CatalogueSummaryRepository) {}

  @Get()
  @RouteConfig({ access: 'console' })
  async show(): Promise<CatalogueSummary> {
    return this.summaries.summary();
  }
}
