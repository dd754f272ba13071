import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { RulesApi, type RenderedRules } from '#libs/rules';
import { robotsTxtRequest, userAgentTokenListRequest } from './rules.validation.js';

/** What agents may fetch. The rules service answers; here is who may ask, and what for. */
@Controller()
export class RulesController {
  constructor(private readonly rules: RulesApi) {}

  @Post('robots-txts')
  @HttpCode(200)
  @RouteConfig({ access: 'project' })
  async robotsTxt(@Body() body: unknown, @Res() reply: FastifyReply): Promise<void> {
    answer(reply, await this.rules.robotsTxt(robotsTxtRequest(body)));
  }

  @Post('user-agent-token-lists')
  @HttpCode(200)
  @RouteConfig({ access: 'project' })
  async userAgentTokenList(@Body() body: unknown, @Res() reply: FastifyReply): Promise<void> {
    answer(reply, await this.rules.userAgentTokenList(userAgentTokenListRequest(body)));
  }
}

/** The bytes as they are: text, which Nest would not answer with. */
function answer(reply: FastifyReply, { mediaType, content }: RenderedRules): void {
  void reply.header('content-type', mediaType).send(content);
}
