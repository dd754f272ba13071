import { Controller, Get, Header, Inject, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { register } from 'prom-client';
import { Health } from './health.js';
import { isOperator, OPERATOR_TOKENS } from './operator-access.js';

/** What whoever runs the process asks of it. */
@Controller()
export class OperationsController {
  constructor(
    private readonly health: Health,
    @Inject(OPERATOR_TOKENS) private readonly tokens: readonly string[],
  ) {}

  /** The process is up. */
  @Get('healthz')
  @RouteConfig({ access: 'public' })
  alive(): { status: string } {
    return { status: 'ok' };
  }

  /** The process can do its work; 503 when not. Either way it names what is missing, to those who run it. */
  @Get('readyz')
  @RouteConfig({ access: 'public' })
  async ready(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const { isReady, status, faults } = await this.health.report();
    reply.code(isReady ? 200 : 503);
    if (!isOperator(request, this.tokens)) return { status };
    return {
      status,
      checks: Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, fault ?? 'ok'])),
    };
  }

  /** Prometheus text format: the routes, the load and the dependencies of the instance, which are no stranger's business. */
  @Get('metrics')
  @RouteConfig({ access: 'operator' })
  @Header('content-type', register.contentType)
  metrics(): Promise<string> {
    return register.metrics();
  }
}
