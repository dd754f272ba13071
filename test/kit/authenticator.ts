import { TOTP } from 'otpauth';
import type { Json } from './app.js';
import type { Person } from './person.js';

const STEP_MS = 30_000;

/** An authenticator app with one account, and a clock that the test moves on: no code comes twice. */
export class Authenticator {
  private readonly totp: TOTP;

  constructor(
    secret: string,
    private readonly clock: TestClock,
  ) {
    this.totp = new TOTP({ secret });
  }

  /** The code of a time so many steps from now. */
  code(steps = 0): string {
    return this.totp.generate({ timestamp: this.clock.now() + steps * STEP_MS });
  }

  /** The code of the next step, once it is there. */
  next(): string {
    this.clock.ahead += STEP_MS;
    return this.code();
  }

  /** Sets up the second factor of somebody who signed in lately. */
  static async setUp(person: Person, clock: TestClock): Promise<{ app: Authenticator; recoveryCodes: string[] }> {
    const begun = await person.call('POST', '/account/second-factor', {});
    expect(begun.status).toBe(201);
    const app = new Authenticator(begun.body.secret, clock);
    const activated = await person.call('PUT', '/account/second-factor', { code: app.next() });
    expect(activated.status).toBe(200);
    return { app, recoveryCodes: (activated.body as Json).recovery_codes };
  }
}

/** A clock that tests move on. */
export class TestClock {
  /** Milliseconds. */
  ahead = 0;
  readonly now = (): number => Date.now() + this.ahead;
}
