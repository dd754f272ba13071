import { Inject, Injectable } from '@nestjs/common';
import type { ProcessState } from '#libs/contracts';

/** Injection token: address of the rules service; null where it runs in this process. */
export const RULES_URL = Symbol('rules URL');

const PATIENCE_MS = 2_000;

/** Asks the rules service how it is: it keeps nothing, and so has no database to report to. */
@Injectable()
export class RulesHealthService {
  constructor(@Inject(RULES_URL) private readonly url: string | null) {}

  async read(): Promise<{ state: ProcessState; detail: string | null } | null> {
    if (this.url === null) return null;
    try {
      const response = await fetch(new URL('/readyz', this.url), { signal: AbortSignal.timeout(PATIENCE_MS) });
      const { status, checks } = (await response.json()) as { status: ProcessState; checks: Record<string, string> };
      const faults = Object.entries(checks).filter(([, state]) => state !== 'ok');
      return { state: status, detail: faults.map(([name, fault]) => `${name}: ${fault}`).join('; ') || null };
    } catch {
      return { state: 'silent', detail: 'It does not answer.' };
    }
  }
}
