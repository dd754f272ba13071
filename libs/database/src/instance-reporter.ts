import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Health, LOGGER, productVersion, UntrustedForwarders, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';

/** Injection token for the name of the service. */
export const SERVICE_NAME = Symbol('service name');

const REPORT_INTERVAL_MS = 10_000;
/** Interval while a health check fails, for example at startup. */
const FAULTY_REPORT_INTERVAL_MS = 2_000;
const FIRST_REPORT_DELAY_MS = 500;
/** Time to delete the process's row at shutdown. */
const LEAVE_TIMEOUT_MS = 1_000;

const failures = new Counter({
  name: 'agent_traffic_instance_report_failures_total',
  help: 'Status reports of this process that could not be stored',
});

/**
 * Reports the status of this process to the database, for the System page. If the database is unavailable, the process
 * isn't affected, and reports resume later.
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
    this.reportIn(FIRST_REPORT_DELAY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    const leave = this.underWay
      .then(() => this.dataSource.query(`DELETE FROM service_instances WHERE id = $1`, [this.id]))
      // Another process will delete the row later.
      .catch(() => undefined);
    await Promise.race([leave, sleep(LEAVE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private reportIn(milliseconds: number): void {
    this.timer = setTimeout(() => {
      this.underWay = this.reportAndSchedule();
    }, milliseconds).unref();
  }

  private async reportAndSchedule(): Promise<void> {
    const isWell = await this.report();
    if (!this.isStopped) this.reportIn(isWell ? REPORT_INTERVAL_MS : FAULTY_REPORT_INTERVAL_MS);
  }

  /**
   * Reports the status. Never throws: failures are counted, and the first in a row is logged.
   *
   * @returns true if the report was stored and all health checks pass.
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
      // Killed processes leave their rows behind.
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
