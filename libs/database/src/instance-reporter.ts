import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Health, LOGGER, productVersion, UntrustedForwarders, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';

/** Injection token: which service runs in this process. */
export const SERVICE_NAME = Symbol('service name');

const REPORT_INTERVAL_MS = 10_000;
/** While something is wrong, such as at the start, when not everything is connected yet. */
const REPORT_SOON_MS = 2_000;
const FIRST_REPORT_MS = 500;
/** Milliseconds that the end of the process waits for its row to go. */
const LEAVE_WITHIN_MS = 1_000;

const failures = new Counter({
  name: 'agent_traffic_instance_report_failures_total',
  help: 'Reports of how this process is that the database did not take',
});

/**
 * Writes every few seconds how this process is, for the System page. Nothing waits for it: while the database is away
 * the process goes on, and reports again afterwards.
 */
@Injectable()
export class InstanceReporter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private readonly startedAt = new Date(Date.now() - process.uptime() * 1_000);
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> = Promise.resolve();
  private isStopped = false;
  private hasFailed = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly health: Health,
    private readonly forwarders: UntrustedForwarders,
    @Inject(SERVICE_NAME) private readonly service: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.reportIn(FIRST_REPORT_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    const leave = this.underWay
      .then(() => this.dataSource.query(`DELETE FROM service_instances WHERE id = $1`, [this.id]))
      // Others see that it went silent, and sweep the row.
      .catch(() => undefined);
    await Promise.race([leave, sleep(LEAVE_WITHIN_MS, undefined, { ref: false })]);
  }

  private reportIn(milliseconds: number): void {
    this.timer = setTimeout(() => {
      this.underWay = this.reportAndGoOn();
    }, milliseconds).unref();
  }

  private async reportAndGoOn(): Promise<void> {
    const isWell = await this.report();
    if (!this.isStopped) this.reportIn(isWell ? REPORT_INTERVAL_MS : REPORT_SOON_MS);
  }

  /**
   * Never throws: a failure is counted, and logged when it is the first in a row.
   *
   * @returns whether nothing is wrong.
   */
  async report(): Promise<boolean> {
    try {
      const { status, faults } = await this.health.report();
      const checks = JSON.stringify(faults);
      const forwarders = JSON.stringify(this.forwarders.list());
      await this.dataSource.query(
        `INSERT INTO service_instances (id, service, host, version, started_at, reported_at, status, checks, untrusted_forwarders)
         VALUES ($1, $2, $3, $4, $5, now(), $6, $7, $8)
         ON CONFLICT (id) DO UPDATE SET reported_at = excluded.reported_at, status = excluded.status,
           checks = excluded.checks, untrusted_forwarders = excluded.untrusted_forwarders`,
        [this.id, this.service, hostname(), productVersion(), this.startedAt, status, checks, forwarders],
      );
      // Of processes that were killed.
      await this.dataSource.query(`DELETE FROM service_instances WHERE reported_at < now() - interval '1 day'`);
      this.hasFailed = false;
      return status === 'ok';
    } catch (error) {
      failures.inc();
      if (!this.hasFailed && !this.isStopped) {
        this.logger.warn({ err: error }, 'the status of this process cannot be reported; the process continues');
      }
      this.hasFailed = true;
      return false;
    }
  }
}
