import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OidcService } from './oidc.service.js';

/** Signing in by way of an OpenID provider: the browser goes there, and comes back. */
@Controller('api/session/oidc')
export class OidcController {
  constructor(@Inject(OidcService) private readonly oidc: OidcService) {}

  @Get()
  @RouteConfig({ access: 'visitor' })
  async start(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.oidc.start(request, reply);
  }

  @Get('callback')
  @RouteConfig({ access: 'visitor' })
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.oidc.finish(request, reply);
  }
}
