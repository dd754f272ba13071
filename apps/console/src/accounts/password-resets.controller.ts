import { Controller } from '@nestjs/common';
import { getPasswordReset, resetPassword, type PendingPasswordReset, type SignInResponse } from '#libs/contracts';
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
  async show({ params: { token } }: RequestOf<typeof getPasswordReset>): Promise<PendingPasswordReset> {
    const reset = await this.resets.find(token);
    if (reset === null) throw linkNotFound();
    return reset;
  }

  @Handle(resetPassword)
  async choose({
    params: { token },
    raw: request,
    reply,
    body,
  }: RequestOf<typeof resetPassword>): Promise<SignInResponse> {
    const { password } = body;
    // Check the link first, because hashing the password is slow. Only attempts with invalid links count toward the
    // rate limit.
    const reset = await this.resets.find(token);
    if (reset === null) {
      await this.attempts.fromNetwork(request);
      throw linkNotFound();
    }
    const hash = await this.passwords.hashNew(password, reset);
    const user = await this.resets.use(token, hash);
    if (user === null) throw linkNotFound();
    await this.changes.apply();
    return this.signIns.open(request, reply, user, { by: 'password', hash });
  }
}

/**
 * Error for a link that doesn't exist. It names all possible reasons, because used, replaced and expired links are
 * deleted, so it's unknown which one applies.
 */
const linkNotFound = (): ProblemError =>
  new ProblemError('not-found', 'This link has already been used or replaced, or it has expired.');
