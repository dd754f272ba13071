import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { register } from 'prom-client';
import { Health } from './health.js';

/** What whoever runs the process asks of it. */
@Controller()
export class OperationsController {
  constructor(@Inject(Health) private readonly health: Health) {}

  /** The process is up. */
  @Get('healthz')
  @RouteConfig({ access: 'public' })
  alive(): { status: string } {
    return { status: 'ok' };
  }

  /** The process can do its work; 503 when not. Either way it names what is missing. */
  @Get('readyz')
  @RouteConfig({ access: 'public' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const { isReady, status, faults } = await this.health.report();
    reply.code(isReady ? 200 : 503);
    return {
      status,
      checks: Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, fault ?? 'ok'])),
    };
  }

  /** Prometheus text format. */
  @Get('metrics')
  @RouteConfig({ access: 'public' })
  @Header('content-type', register.contentType)
  metrics(): Promise<string> {
    return register.metrics();
  }
}
