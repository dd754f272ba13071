import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessChanges } from '../access/access-changes.service.js';
import { AttemptsService } from './attempts.service.js';
import { OidcService } from './oidc.service.js';

/** Signing in by way of an OpenID provider: the browser goes there, and comes back. */
@Controller('api/session/oidc')
export class OidcController {
  constructor(
    private readonly oidc: OidcService,
    private readonly attempts: AttemptsService,
    private readonly changes: AccessChanges,
  ) {}

  @Get()
  @RouteConfig({ access: 'visitor' })
  async start(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('return_to') returnTo?: string | string[],
  ): Promise<void> {
    await this.attempts.fromNetwork(request);
    await reply.redirect(await this.oidc.start(request, reply, [returnTo ?? '/'].flat().at(-1)!), 302);
  }

  @Get('callback')
  @RouteConfig({ access: 'visitor' })
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const destination = await this.oidc.finish(request, reply);
    // Sessions may have ended, and an administrator been made.
    await this.changes.apply();
    await reply.redirect(destination, 302);
  }
}
