import { Inject, Injectable } from '@nestjs/common';
import type { ProcessState } from '#libs/contracts';
import type { ServiceClientOptions } from '#libs/catalog';

/** Injection token for {@link ServiceClientOptions}, which are null if the rules service runs in this process. */
export const RULES_SERVICE = Symbol('rules service');

const TIMEOUT_MS = 2_000;

/** Reads the rules service's state over HTTP, because it has no database to report to. */
@Injectable()
export class RulesHealthService {
  constructor(@Inject(RULES_SERVICE) private readonly service: ServiceClientOptions | null) {}

  async read(): Promise<{ state: ProcessState; detail: string | null } | null> {
    if (this.service === null) return null;
    const { url, secret } = this.service;
    try {
      const response = await fetch(new URL('/readyz', url), {
        headers: { authorization: `Bearer ${secret}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { status, checks } = (await response.json()) as { status: ProcessState; checks: Record<string, string> };
      const faults = Object.entries(checks).filter(([, state]) => state !== 'ok');
      return { state: status, detail: faults.map(([name, fault]) => `${name}: ${fault}`).join('; ') || null };
    } catch {
      return { state: 'silent', detail: 'Not responding.' };
    }
  }
}
