import { Injectable } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { errorMessage } from './logged-error.js';

/** Returns null if the check passes, or a description of the fault for the operator. */
type HealthCheck = () => string | null | Promise<string | null>;

interface HealthCheckOptions {
  /**
   * Whether the process is unready while the check fails. Default: true. If false, the fault is only reported, because
   * taking the process out of load balancing would stop all of its work.
   */
  critical?: boolean;
}

interface HealthReport {
  isReady: boolean;
  status: 'ok' | 'degraded' | 'unavailable';
  /** Fault by check name, or null if the check passed. */
  faults: Record<string, string | null>;
}

const CHECK_TIMEOUT_MS = 2_000;

/** Registry of this process's health checks, to which modules add their dependencies. */
@Injectable()
export class Health {
  private readonly checks = new Map<string, { check: HealthCheck; critical: boolean }>();
  private draining = false;

  register(name: string, check: HealthCheck, { critical = true }: HealthCheckOptions = {}): void {
    this.checks.set(name, { check, critical });
  }

  /**
   * Reports the process as not ready from now on, so load balancers route requests elsewhere while in-flight ones
   * finish.
   */
  startDraining(): void {
    this.draining = true;
  }

  async report(): Promise<HealthReport> {
    const names = [...this.checks.keys()];
    const checkResults = await Promise.all(names.map((name) => runCheck(this.checks.get(name)!.check)));
    const faults = Object.fromEntries(names.map((name, index) => [name, checkResults[index] ?? null]));
    if (this.draining) faults['shutdown'] = 'shutting down';
    const failedChecks = Object.keys(faults).filter((name) => faults[name] !== null);
    // `shutdown` has no registered check, so it counts as critical.
    const isReady = failedChecks.every((name) => this.checks.get(name)?.critical === false);
    return { isReady, status: failedChecks.length === 0 ? 'ok' : isReady ? 'degraded' : 'unavailable', faults };
  }
}

async function runCheck(check: HealthCheck): Promise<string | null> {
  try {
    const result = Promise.resolve(check());
    return await pTimeout(result, {
      milliseconds: CHECK_TIMEOUT_MS,
      message: `no response within ${CHECK_TIMEOUT_MS} ms`,
    });
  } catch (error) {
    return errorMessage(error);
  }
}
