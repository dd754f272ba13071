import { Controller, Get, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TestAgentService } from './test-agent.service.js';

/** The test agent's keys, for whoever checks its signatures; draft-ietf-webbotauth-httpsig-protocol-01 appendix B. */
@Controller('.well-known/http-message-signatures-directory')
export class KeyDirectoryController {
  constructor(private readonly testAgent: TestAgentService) {}

  @Get()
  @RouteConfig({ access: 'public' })
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { body, headers } = await this.testAgent.directory(request.headers.host ?? '');
    // As bytes: to text Fastify would add a charset, and the signature covers what is sent.
    await reply.headers({ ...headers, 'cache-control': 'public, max-age=3600' }).send(Buffer.from(body));
  }
}
