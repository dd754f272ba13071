import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ExplanationQuestion, IdentificationQuestion } from '#libs/catalog';
import type { Explanation, PublicIdentification } from '#libs/contracts';
import { IdentificationService } from './identification.service.js';

/** For gateway and console: `HttpIdentificationApi` is the other end. */
@Controller('internal/identifications')
export class IdentificationController {
  constructor(private readonly identifications: IdentificationService) {}

  /** Many askers at once; `null` for those who have to ask again alone, because something is being looked up. */
  @Post('at-once')
  @HttpCode(200)
  @RouteConfig({ access: 'internal' })
  atOnce(@Body() questions: readonly IdentificationQuestion[]): (PublicIdentification[] | null)[] {
    return questions.map(({ items, site }) => this.identifications.identifyAtOnce(items, site));
  }

  @Post()
  @HttpCode(200)
  @RouteConfig({ access: 'internal' })
  async identify(@Body() { items, site, patience }: IdentificationQuestion): Promise<PublicIdentification[]> {
    return this.identifications.identify(items, site, patience);
  }

  @Post('explanation')
  @HttpCode(200)
  @RouteConfig({ access: 'internal' })
  async explain(@Body() { item, site }: ExplanationQuestion): Promise<Explanation> {
    return this.identifications.explain(item, site);
  }
}
