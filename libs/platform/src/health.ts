import { Injectable } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { errorMessage } from './logged-error.js';

/** Returns null if everything is fine, else a description of the fault for the operator. */
type HealthCheck = () => string | null | Promise<string | null>;

interface HealthCheckOptions {
  /**
   * Whether the process isn't ready while the check fails. Default: true. If false, the fault is only reported: a
   * process outside load balancing would do no work at all.
   */
  critical?: boolean;
}

interface HealthReport {
  isReady: boolean;
  status: 'ok' | 'degraded' | 'unavailable';
  /** Fault by check name, or null. */
  faults: Record<string, string | null>;
}

const CHECK_TIMEOUT_MS = 2_000;

/** Health checks of this process. Modules register their dependencies. */
@Injectable()
export class Health {
  private readonly checks = new Map<string, { check: HealthCheck; critical: boolean }>();
  private draining = false;

  register(name: string, check: HealthCheck, { critical = true }: HealthCheckOptions = {}): void {
    this.checks.set(name, { check, critical });
  }

  /**
   * Reports the process as not ready from now on, so load balancers send requests elsewhere while in-flight ones
   * finish.
   */
  drain(): void {
    this.draining = true;
  }

  async report(): Promise<HealthReport> {
    const names = [...this.checks.keys()];
    const found = await Promise.all(names.map((name) => run(this.checks.get(name)!.check)));
    const faults = Object.fromEntries(names.map((name, index) => [name, found[index] ?? null]));
    if (this.draining) faults['shutdown'] = 'shutting down';
    const faulty = Object.keys(faults).filter((name) => faults[name] !== null);
    // `shutdown` has no registered check and counts as critical.
    const isReady = faulty.every((name) => this.checks.get(name)?.critical === false);
    return { isReady, status: faulty.length === 0 ? 'ok' : isReady ? 'degraded' : 'unavailable', faults };
  }
}

async function run(check: HealthCheck): Promise<string | null> {
  try {
    const answer = Promise.resolve(check());
    return await pTimeout(answer, {
      milliseconds: CHECK_TIMEOUT_MS,
      message: `no answer within ${CHECK_TIMEOUT_MS} ms`,
    });
  } catch (error) {
    return errorMessage(error);
  }
}
