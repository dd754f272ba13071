import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { NewTestVisitSchema, validator, type TestVisit } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { requireAdmin } from '../access/principal.js';
import { checked } from '../checked.js';
import { TestAgentService } from './test-agent.service.js';

const newTestVisit = validator(NewTestVisitSchema);

@Controller('api/test-visits')
export class TestVisitsController {
  constructor(private readonly testAgent: TestAgentService) {}

  /** Only signs: nothing is fetched from here that somebody names. */
  @Post()
  @HttpCode(200)
  @RouteConfig({ access: 'console' })
  async sign(@Req() { principal }: FastifyRequest, @Body() body: unknown): Promise<TestVisit> {
    requireAdmin(principal);
    const url = new URL(checked(newTestVisit, body).url);
    if (url.protocol === 'https:' || url.protocol === 'http:') return this.testAgent.signedVisit(url);
    throw new ProblemError('invalid-body', 'The address must be one of http or https.', {
      errors: [{ pointer: '/url', detail: 'must start with http:// or https://' }],
    });
  }
}
