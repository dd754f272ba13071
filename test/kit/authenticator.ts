import { TOTP } from 'otpauth';
import type { Json } from './app.js';
import type { Person } from './person.js';

const STEP_MS = 30_000;

/** Authenticator app with one account. Tests advance its clock, so every code is new. */
export class Authenticator {
  private readonly totp: TOTP;

  constructor(
    secret: string,
    private readonly clock: TestClock,
  ) {
    this.totp = new TOTP({ secret });
  }

  /** Returns the code for the time that many 30-second steps from now. */
  code(steps = 0): string {
    return this.totp.generate({ timestamp: this.clock.now() + steps * STEP_MS });
  }

  /** Advances the clock by one step and returns the new code. */
  next(): string {
    this.clock.ahead += STEP_MS;
    return this.code();
  }

  /** Enrolls a second factor for someone who signed in recently. */
  static async setUp(person: Person, clock: TestClock): Promise<{ app: Authenticator; recoveryCodes: string[] }> {
    const begun = await person.call('POST', '/account/second-factor', {});
    expect(begun.status).toBe(201);
    const app = new Authenticator(begun.body.secret, clock);
    const activated = await person.call('PUT', '/account/second-factor', { code: app.next() });
    expect(activated.status).toBe(200);
    return { app, recoveryCodes: (activated.body as Json).recovery_codes };
  }
}

export class TestClock {
  /** Milliseconds ahead of the system clock. */
  ahead = 0;
  readonly now = (): number => Date.now() + this.ahead;
}
