import { Injectable } from '@nestjs/common';

/** Null when fine, else what is wrong, in words for an operator. */
export type HealthCheck = () => string | null | Promise<string | null>;

const CHECK_TIMEOUT = 2_000;

/** Whether this process can do its work. Modules register what they depend on. */
@Injectable()
export class Health {
  private readonly checks = new Map<string, HealthCheck>();
  private draining = false;

  register(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** From now on unready: load balancers look elsewhere while what is under way finishes. */
  drain(): void {
    this.draining = true;
  }

  async faults(): Promise<Record<string, string | null>> {
    const names = [...this.checks.keys()];
    const faults = await Promise.all(names.map((name) => this.run(this.checks.get(name)!)));
    const result = Object.fromEntries(names.map((name, index) => [name, faults[index] ?? null]));
    return this.draining ? { ...result, shutdown: 'shutting down' } : result;
  }

  private async run(check: HealthCheck): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`no answer within ${CHECK_TIMEOUT} ms`), CHECK_TIMEOUT);
    });
    try {
      return await Promise.race([check(), late]);
    } catch (error) {
      return (error as Error).message;
    } finally {
      clearTimeout(timer);
    }
  }
}
