import { Controller } from '@nestjs/common';
import { getCatalog, type CatalogSummary } from '#libs/contracts';
import { Handle } from '#libs/platform';
import { CatalogSummaryRepository } from './catalog-summary.repository.js';

@Controller()
export class CatalogController {
  constructor(private readonly summaries: CatalogSummaryRepository) {}

  @Handle(getCatalog)
  async show(): Promise<CatalogSummary> {
    return this.summaries.summary();
  }
}
