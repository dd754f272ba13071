import { TOTP } from 'otpauth';
import type { Json } from './app.js';
import type { Person } from './person.js';

const STEP_MS = 30_000;

/** Simulates an authenticator app with one account. Tests advance its clock to get new codes. */
export class Authenticator {
  private readonly totp: TOTP;

  constructor(
    secret: string,
    private readonly clock: TestClock,
  ) {
    this.totp = new TOTP({ secret });
  }

  /** Returns the code that will be valid after `steps` 30-second steps. */
  code(steps = 0): string {
    return this.totp.generate({ timestamp: this.clock.now() + steps * STEP_MS });
  }

  /** Advances the clock by one step and returns the new code. */
  nextCode(): string {
    this.clock.aheadMs += STEP_MS;
    return this.code();
  }

  /** Enrolls a second factor. The person must have signed in recently. */
  static async enroll(person: Person, clock: TestClock): Promise<{ app: Authenticator; recoveryCodes: string[] }> {
    const enrollment = await person.call('POST', '/account/second-factor', {});
    expect(enrollment.status).toBe(201);
    const app = new Authenticator(enrollment.body.secret, clock);
    const activated = await person.call('PUT', '/account/second-factor', { code: app.nextCode() });
    expect(activated.status).toBe(200);
    return { app, recoveryCodes: (activated.body as Json).recovery_codes };
  }
}

export class TestClock {
  /** Milliseconds ahead of the system clock. */
  aheadMs = 0;
  readonly now = (): number => Date.now() + this.aheadMs;
}
