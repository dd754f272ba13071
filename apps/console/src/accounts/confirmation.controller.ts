import { Controller } from '@nestjs/common';
import { confirmSession } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { AttemptsService } from '../access/attempts.service.js';
import { OidcService } from './oidc.service.js';
import { OwnAccountRepository } from './own-account.repository.js';
import { PasswordHasher } from '../passwords/password-hasher.service.js';
import { SecondFactorsRepository } from './second-factors.repository.js';
import { SecondFactorsService } from './second-factors.service.js';

/** Confirms a signed-in user's identity with their password and second factor. */
@Controller()
export class ConfirmationController {
  constructor(
    private readonly accounts: OwnAccountRepository,
    private readonly secondFactors: SecondFactorsRepository,
    private readonly codes: SecondFactorsService,
    private readonly attempts: AttemptsService,
    private readonly passwords: PasswordHasher,
    private readonly changes: AccessChanges,
    private readonly oidc: OidcService,
  ) {}

  @Handle(confirmSession)
  async confirm({ principal, raw: request, body }: RequestOf<typeof confirmSession>): Promise<void> {
    const user = principal.user!;
    const { password } = await this.accounts.logins(user.id);
    if (password === null) {
      const provider = this.oidc.providerInfo?.name ?? 'the OpenID provider';
      throw new ProblemError(
        'conflict',
        `This account has no password. To confirm your identity, sign in with ${provider} again.`,
      );
    }
    await this.attempts.password(user.id);
    if (!(await this.passwords.verify(body.password, password, 'known'))) {
      throw new ProblemError('invalid-body', 'The password is wrong.', {
        errors: [{ pointer: '/password', detail: 'is incorrect' }],
        rejected: 'password',
      });
    }
    if ((await this.secondFactors.find(user.id)) !== null) {
      if (body.code === undefined) throw codeMissing();
      await this.codes.require(request, user, body.code);
    }
    await this.accounts.confirm(user);
    await this.changes.apply();
  }
}

const codeMissing = (): ProblemError =>
  new ProblemError(
    'invalid-body',
    'Your account has a second factor. Enter a code from your authenticator app as well.',
    {
      errors: [{ pointer: '/code', detail: 'is required: enter the current code from your app, or a recovery code' }],
    },
  );
