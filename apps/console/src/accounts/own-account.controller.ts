import { Controller } from '@nestjs/common';
import { changeOwnAccount, endOwnSession, getOwnAccount, type OwnAccount, type User } from '#libs/contracts';
import { Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { AttemptsService } from '../access/attempts.service.js';
import { DeviceCookie } from '../access/device-cookie.js';
import { requireConfirmed, type SessionUser } from '../access/principal.js';
import { OidcService } from './oidc.service.js';
import { OwnAccountRepository, type Logins } from './own-account.repository.js';
import { PasswordHasher } from '../passwords/password-hasher.service.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

@Controller()
export class OwnAccountController {
  constructor(
    private readonly accounts: OwnAccountRepository,
    private readonly secondFactors: SecondFactorsRepository,
    private readonly attempts: AttemptsService,
    private readonly passwords: PasswordHasher,
    private readonly changes: AccessChanges,
    private readonly oidc: OidcService,
    private readonly device: DeviceCookie,
  ) {}

  @Handle(getOwnAccount)
  async show({ principal }: RequestOf<typeof getOwnAccount>): Promise<OwnAccount> {
    const { id, email, name, is_admin, sessionId } = principal.user!;
    const { logins, ...shown } = await this.accounts.overview(id, sessionId);
    return {
      user: { id, email, name, is_admin },
      has_password: logins.password !== null,
      provider: this.providerOf(principal.user!, logins),
      ...shown,
    };
  }

  @Handle(changeOwnAccount)
  async change({ principal, raw: request, reply, body }: RequestOf<typeof changeOwnAccount>): Promise<{ user: User }> {
    const user = principal.user!;
    const logins = await this.accounts.logins(user.id);
    const provider = this.providerOf(user, logins);
    const isMoved = body.email !== undefined && body.email.toLowerCase() !== user.email;
    if (provider !== null && isMoved) {
      throw new ProblemError(
        'conflict',
        `Your e-mail address comes from ${provider}, which you sign in with. It can't be changed here.`,
        { errors: [{ pointer: '/email', detail: `must stay as it comes from ${provider}` }] },
      );
    }
    // The owner of the new address could sign in with the provider and skip the second factor. So a password isn't enough.
    if (isMoved && (await this.secondFactors.find(user.id)) !== null) requireConfirmed(principal);
    if (logins.password !== null) await this.requirePassword(user, logins.password, body.current_password);
    const changed = await this.accounts.change(user, body);
    if (changed === null) {
      throw new ProblemError('conflict', 'Another account has this e-mail address. Use a different one.', {
        errors: [{ pointer: '/email', detail: 'must not be the address of another account' }],
      });
    }
    await this.changes.apply();
    // Device cookies identify accounts by email address.
    if (changed.email !== user.email) {
      void reply.header('set-cookie', this.device.issue(changed.email, request.headers.cookie, user.email));
    }
    return { user: changed };
  }

  @Handle(endOwnSession)
  async endSession({ principal, params: { sessionId } }: RequestOf<typeof endOwnSession>): Promise<void> {
    if (!(await this.accounts.endSession(principal.user!.id, sessionId))) throw notFound('session');
    await this.changes.apply();
  }

  private providerOf({ email }: SessionUser, { hasProvider }: Logins): string | null {
    return hasProvider || this.oidc.isOnlyWay(email) ? (this.oidc.shown?.name ?? 'single sign-on') : null;
  }

  /** @throws ProblemError 422 if the password is missing or wrong, 429 after too many attempts. */
  private async requirePassword({ id }: SessionUser, hash: string, given: string | undefined): Promise<void> {
    if (given === undefined) {
      throw new ProblemError('invalid-body', 'Changing your account takes your current password.', {
        errors: [{ pointer: '/current_password', detail: 'is missing: enter your current password' }],
      });
    }
    await this.attempts.password(id);
    if (await this.passwords.verify(given, hash, 'known')) return;
    throw new ProblemError('invalid-body', 'The current password is wrong.', {
      errors: [{ pointer: '/current_password', detail: 'must be your current password' }],
      rejected: 'password',
    });
  }
}
