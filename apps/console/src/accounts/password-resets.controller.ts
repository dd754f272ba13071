import { Controller } from '@nestjs/common';
import { getPasswordReset, resetPassword, type OpenPasswordReset, type SignInAnswer } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { AttemptsService } from '../access/attempts.service.js';
import { PasswordsService } from './passwords.service.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { SignInsService } from './sign-ins.service.js';

@Controller()
export class PasswordResetsController {
  constructor(
    private readonly resets: PasswordResetsRepository,
    private readonly passwords: PasswordsService,
    private readonly signIns: SignInsService,
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
  }: RequestOf<typeof resetPassword>): Promise<SignInAnswer> {
    const { password } = body;
    // Checked before the slow password hash. Only invalid links count against the rate limit.
    const reset = await this.resets.find(token);
    if (reset === null) {
      await this.attempts.fromNetwork(request);
      throw notOpen();
    }
    const hash = await this.passwords.hashNew(password, reset);
    const user = await this.resets.use(token, hash);
    if (user === null) throw notOpen();
    await this.changes.apply();
    return this.signIns.open(request, reply, user, { by: 'password', hash });
  }
}

/** Doesn't distinguish the causes: links are deleted in all three cases. */
const notOpen = (): ProblemError =>
  new ProblemError('not-found', 'This link was already used or replaced, or it has expired.');
