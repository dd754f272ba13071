import { Controller } from '@nestjs/common';
import { Handle, type RequestOf } from '#libs/platform';
import { RULES_SERVICE_OPERATIONS, type RenderedRules } from '#libs/rules';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RulesService } from './rules.service.js';

const { robotsTxt, userAgentTokenList } = RULES_SERVICE_OPERATIONS;

/** For the gateway: `HttpRulesApi` is the other end. */
@Controller()
export class RulesController {
  constructor(private readonly rules: RulesService) {}

  @Handle(robotsTxt)
  async robotsTxt({ body, raw, reply }: RequestOf<typeof robotsTxt>): Promise<void> {
    answer(raw, reply, await this.rules.robotsTxt(body));
  }

  @Handle(userAgentTokenList)
  async userAgentTokenList({ body, raw, reply }: RequestOf<typeof userAgentTokenList>): Promise<void> {
    answer(raw, reply, await this.rules.userAgentTokenList(body));
  }
}

function answer({ headers }: FastifyRequest, reply: FastifyReply, { etag, mediaType, content }: RenderedRules): void {
  void reply.header('etag', etag);
  if (headers['if-none-match'] === etag) void reply.code(304).send();
  else void reply.header('content-type', mediaType).send(content);
}
