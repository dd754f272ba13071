import { Controller } from '@nestjs/common';
import { RulesApi, type RenderedRules } from '#libs/catalog';
import { generateRobotsTxt, listUserAgentTokens } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import type { FastifyReply } from 'fastify';

@Controller()
export class RulesController {
  constructor(private readonly rules: RulesApi) {}

  @Handle(generateRobotsTxt)
  async robotsTxt({ body, reply }: RequestOf<typeof generateRobotsTxt>): Promise<void> {
    send(reply, await this.rules.robotsTxt(omitUnknown(generateRobotsTxt.body.properties, body)));
  }

  @Handle(listUserAgentTokens)
  async userAgentTokenList({ body, reply }: RequestOf<typeof listUserAgentTokens>): Promise<void> {
    send(reply, await this.rules.userAgentTokenList(omitUnknown(listUserAgentTokens.body.properties, body)));
  }
}

function send(reply: FastifyReply, { mediaType, content }: RenderedRules): void {
  void reply.header('content-type', mediaType).send(content);
}

/**
 * Removes unknown fields. They are allowed, but equivalent requests would have different cache keys if they were kept.
 */
function omitUnknown<T extends object>(properties: object, body: T): T {
  const fields = Object.keys(properties).filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(fields.map((name) => [name, body[name as keyof T]])) as T;
}
