import { Injectable } from '@nestjs/common';
import pTimeout from 'p-timeout';
import { errorMessage } from './logged-error.js';

/** Null when fine, else what is wrong, in words for an operator. */
type HealthCheck = () => string | null | Promise<string | null>;

interface HealthCheckOptions {
  /**
   * Whether the process can't do its work without it. A fault of anything else is shown, and the process stays
   * ready: taken out of the balancing it would do no work at all.
   */
  critical?: boolean;
}

interface HealthReport {
  isReady: boolean;
  status: 'ok' | 'degraded' | 'unavailable';
  /** What is wrong by name of the check; null is fine. */
  faults: Record<string, string | null>;
}

const CHECK_TIMEOUT_MS = 2_000;

/** Whether this process can do its work. Modules register what they depend on. */
@Injectable()
export class Health {
  private readonly checks = new Map<string, { check: HealthCheck; critical: boolean }>();
  private draining = false;

  register(name: string, check: HealthCheck, { critical = true }: HealthCheckOptions = {}): void {
    this.checks.set(name, { check, critical });
  }

  /** From now on unready: load balancers look elsewhere while what is under way finishes. */
  drain(): void {
    this.draining = true;
  }

  async report(): Promise<HealthReport> {
    const names = [...this.checks.keys()];
    const found = await Promise.all(names.map((name) => run(this.checks.get(name)!.check)));
    const faults = Object.fromEntries(names.map((name, index) => [name, found[index] ?? null]));
    if (this.draining) faults['shutdown'] = 'shutting down';
    const faulty = Object.keys(faults).filter((name) => faults[name] !== null);
    // A check that is not registered is the shutdown.
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
