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
    answer(reply, await this.rules.robotsTxt(withoutUnknown(generateRobotsTxt.body.properties, body)));
  }

  @Handle(listUserAgentTokens)
  async userAgentTokenList({ body, reply }: RequestOf<typeof listUserAgentTokens>): Promise<void> {
    answer(reply, await this.rules.userAgentTokenList(withoutUnknown(listUserAgentTokens.body.properties, body)));
  }
}

/** Sends the content as is, with its own media type. */
function answer(reply: FastifyReply, { mediaType, content }: RenderedRules): void {
  void reply.header('content-type', mediaType).send(content);
}

/** Removes unknown fields. They are allowed, but would make equivalent requests differ. */
function withoutUnknown<T extends object>(properties: object, body: T): T {
  const fields = Object.keys(properties).filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(fields.map((name) => [name, body[name as keyof T]])) as T;
}
