import { Controller } from '@nestjs/common';
import { getPasswordReset, resetPassword, type OpenPasswordReset, type User } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { AccountsRepository } from './accounts.repository.js';
import { AttemptsService } from '../access/attempts.service.js';
import { AuthenticationService } from './authentication.service.js';
import { PasswordResetsRepository } from './password-resets.repository.js';

/** Choosing a new password with a link. */
@Controller()
export class PasswordResetsController {
  constructor(
    private readonly resets: PasswordResetsRepository,
    private readonly accounts: AccountsRepository,
    private readonly authentication: AuthenticationService,
    private readonly attempts: AttemptsService,
    private readonly changes: AccessChanges,
  ) {}

  @Handle(getPasswordReset)
  async show({ params: { token } }: RequestOf<typeof getPasswordReset>): Promise<OpenPasswordReset> {
    const reset = await this.resets.find(token);
    if (reset === null) throw notOpen();
    return reset;
  }

  @Handle(resetPassword)
  async choose({
    params: { token },
    raw: request,
    reply,
    body,
  }: RequestOf<typeof resetPassword>): Promise<{ user: User }> {
    const { password } = body;
    // Before the password is hashed, which is slow. A valid link is never locked out.
    const reset = await this.resets.find(token);
    if (reset === null) {
      await this.attempts.fromNetwork(request);
      throw notOpen();
    }
    const hash = await this.authentication.hashNewPassword(password, reset);
    const email = await this.resets.use(token, hash);
    if (email === null) throw notOpen();
    await this.changes.apply();
    await this.authentication.signIn(request, reply, email, password);
    return { user: (await this.accounts.find(email))! };
  }
}

/** Nothing is kept of a link after that, so it is not known which. */
const notOpen = (): ProblemError =>
  new ProblemError('not-found', 'This link was already used or replaced, or it has expired.');
