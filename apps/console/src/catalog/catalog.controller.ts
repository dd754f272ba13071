import { Controller, Get } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { CatalogSummary } from '#libs/contracts';
import { CatalogSummaryRepository } from './catalog-summary.repository.js';

/** The list of agents as a whole. */
@Controller('api/catalog')
export class CatalogController {
  constructor(private readonly summaries: CatalogSummaryRepository) {}

  @Get()
  @RouteConfig({ access: 'console' })
  async show(): Promise<CatalogSummary> {
    return this.summaries.summary();
  }
}
