import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Health, LOGGER, getProductVersion, UntrustedForwarders, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';

/** Injection token for the service name. */
export const SERVICE_NAME = Symbol('service name');

const REPORT_INTERVAL_MS = 10_000;
/** Reporting interval while a health check fails, for example during startup. */
const UNHEALTHY_REPORT_INTERVAL_MS = 2_000;
const FIRST_REPORT_DELAY_MS = 500;
/** Time limit for deleting the process's row during shutdown. */
const DEREGISTER_TIMEOUT_MS = 1_000;

const reportFailures = new Counter({
  name: 'agent_traffic_instance_report_failures_total',
  help: 'Failed attempts to store the status of this process',
});

/**
 * Stores the process status in the database for the System page. If the database is unavailable, the process continues,
 * and reports resume when the database is back.
 */
@Injectable()
export class InstanceReporter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private readonly startedAt = new Date(Date.now() - process.uptime() * 1_000);
  private timer: NodeJS.Timeout | undefined;
  private inFlightReport: Promise<void> = Promise.resolve();
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
    this.scheduleReport(FIRST_REPORT_DELAY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    const deregistration = this.inFlightReport
      .then(() => this.dataSource.query(`DELETE FROM service_instances WHERE id = $1`, [this.id]))
      // Another process deletes the row when it's a day old.
      .catch(() => undefined);
    await Promise.race([deregistration, sleep(DEREGISTER_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private scheduleReport(milliseconds: number): void {
    this.timer = setTimeout(() => {
      this.inFlightReport = this.reportAndSchedule();
    }, milliseconds).unref();
  }

  private async reportAndSchedule(): Promise<void> {
    const isHealthy = await this.report();
    if (!this.isStopped) this.scheduleReport(isHealthy ? REPORT_INTERVAL_MS : UNHEALTHY_REPORT_INTERVAL_MS);
  }

  /**
   * Stores the current status. Never rejects: failures are counted, and only the first in a row is logged.
   *
   * @returns true if the report was stored and all health checks passed.
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
        [this.id, this.service, hostname(), getProductVersion(), this.startedAt, status, checks, forwarders],
      );
      // Processes that are killed don't delete their own rows.
      await this.dataSource.query(`DELETE FROM service_instances WHERE reported_at < now() - interval '1 day'`);
      this.hasFailed = false;
      return status === 'ok';
    } catch (error) {
      reportFailures.inc();
      if (!this.hasFailed && !this.isStopped) {
        this.logger.warn({ err: error }, 'failed to report the process status; will try again');
      }
      this.hasFailed = true;
      return false;
    }
  }
}
