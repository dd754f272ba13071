import { Controller } from '@nestjs/common';
import { RulesApi, type RenderedRules } from '#libs/catalog';
import { generateRobotsTxt, listUserAgentTokens } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import type { FastifyReply } from 'fastify';

/** What agents may fetch. The rules service answers; here is who may ask, and what for. */
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

/** The bytes as they are: text, which Nest would not answer with. */
function answer(reply: FastifyReply, { mediaType, content }: RenderedRules): void {
  void reply.header('content-type', mediaType).send(content);
}

/** Unknown fields are allowed, but would make equal requests differ. */
function withoutUnknown<T extends object>(properties: object, body: T): T {
  const fields = Object.keys(properties).filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(fields.map((name) => [name, body[name as keyof T]])) as T;
}
