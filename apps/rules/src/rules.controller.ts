import { Controller } from '@nestjs/common';
import { CATALOG_VERSION_HEADER, RULES_SERVICE_OPERATIONS, type RenderedRules } from '#libs/catalog';
import { Handle, type RequestOf } from '#libs/platform';
import type { FastifyReply } from 'fastify';
import { RulesService } from './rules.service.js';

const { robotsTxt, userAgentTokenList, addressList, policyLimits } = RULES_SERVICE_OPERATIONS;

/** Internal API for the gateway and the console. `HttpRulesApi` is the client. */
@Controller()
export class RulesController {
  constructor(private readonly rules: RulesService) {}

  @Handle(robotsTxt)
  async robotsTxt({ body, reply }: RequestOf<typeof robotsTxt>): Promise<void> {
    send(reply, await this.rules.robotsTxt(body));
  }

  @Handle(userAgentTokenList)
  async userAgentTokenList({ body, reply }: RequestOf<typeof userAgentTokenList>): Promise<void> {
    send(reply, await this.rules.userAgentTokenList(body));
  }

  @Handle(addressList)
  async addressList({ body, reply }: RequestOf<typeof addressList>): Promise<void> {
    send(reply, await this.rules.addressList(body));
  }

  @Handle(policyLimits)
  async policyLimits({ body, reply }: RequestOf<typeof policyLimits>): Promise<void> {
    send(reply, await this.rules.policyLimits(body));
  }
}

function send(reply: FastifyReply, { catalogVersion, mediaType, content }: RenderedRules): void {
  void reply.header(CATALOG_VERSION_HEADER, catalogVersion).header('content-type', mediaType).send(content);
}
