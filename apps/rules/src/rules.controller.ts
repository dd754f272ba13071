import { Body, Controller, Headers, HttpCode, Post, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import type { RobotsTxtRequest, UserAgentTokenListRequest } from '#libs/contracts';
import { RULES_PATHS, type RenderedRules } from '#libs/rules';
import { RulesService } from './rules.service.js';

/** For the gateway: `HttpRulesApi` is the other end. */
@Controller()
export class RulesController {
  constructor(private readonly rules: RulesService) {}

  @Post(RULES_PATHS.robotsTxt)
  @HttpCode(200)
  @RouteConfig({ access: 'internal' })
  async robotsTxt(
    @Body() request: RobotsTxtRequest,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    answer(reply, known, await this.rules.robotsTxt(request));
  }

  @Post(RULES_PATHS.userAgentTokenList)
  @HttpCode(200)
  @RouteConfig({ access: 'internal' })
  async userAgentTokenList(
    @Body() request: UserAgentTokenListRequest,
    @Headers('if-none-match') known: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    answer(reply, known, await this.rules.userAgentTokenList(request));
  }
}

function answer(reply: FastifyReply, known: string | undefined, { etag, mediaType, content }: RenderedRules): void {
  void reply.header('etag', etag);
  if (known === etag) void reply.code(304).send();
  else void reply.header('content-type', mediaType).send(content);
}
