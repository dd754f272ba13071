import { Controller, Inject } from '@nestjs/common';
import { getLiveness, getMetrics, getReadiness } from '#libs/contracts';
import { Gauge, register } from 'prom-client';
import { Health } from './health.js';
import { isOperator, OPERATOR_TOKENS } from './operator-access.js';
import { Handle, type RequestOf } from './operations/handle.js';

interface Readiness {
  status: string;
  checks?: Record<string, string>;
}

const healthFault = new Gauge({
  name: 'agent_traffic_health_fault',
  help: '1 while a /readyz check fails',
  labelNames: ['check'],
});

@Controller()
export class OperationsController {
  constructor(
    private readonly health: Health,
    @Inject(OPERATOR_TOKENS) private readonly tokens: readonly string[],
  ) {}

  @Handle(getLiveness)
  alive(): { status: string } {
    return { status: 'ok' };
  }

  /** Responds with 200 if the process is ready and with 503 otherwise. Only operators see the individual checks. */
  @Handle(getReadiness)
  async ready({ raw, reply }: RequestOf<typeof getReadiness>): Promise<Readiness> {
    const { isReady, status, faults } = await this.health.report();
    reply.code(isReady ? 200 : 503);
    if (!isOperator(raw, this.tokens)) return { status };
    return {
      status,
      checks: Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, fault ?? 'ok'])),
    };
  }

  @Handle(getMetrics)
  async metrics({ reply }: RequestOf<typeof getMetrics>): Promise<void> {
    const { faults } = await this.health.report();
    for (const [check, fault] of Object.entries(faults)) healthFault.set({ check }, fault === null ? 0 : 1);
    void reply.header('content-type', register.contentType).send(await register.metrics());
  }
}
