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
    const { logins, ...overview } = await this.accounts.overview(id, sessionId);
    return {
      user: { id, email, name, is_admin },
      has_password: logins.password !== null,
      provider: this.getProviderName(principal.user!, logins),
      ...overview,
    };
  }

  @Handle(changeOwnAccount)
  async change({ principal, raw: request, reply, body }: RequestOf<typeof changeOwnAccount>): Promise<{ user: User }> {
    const user = principal.user!;
    const logins = await this.accounts.logins(user.id);
    const provider = this.getProviderName(user, logins);
    const isEmailChanged = body.email !== undefined && body.email.toLowerCase() !== user.email;
    if (provider !== null && isEmailChanged) {
      throw new ProblemError('conflict', `Your email address is managed by ${provider}. You can't change it here.`, {
        errors: [{ pointer: '/email', detail: `can't be changed because ${provider} manages it` }],
      });
    }
    // The owner of the new email address could sign in with the provider and thereby bypass the second factor.
    // Therefore, changing the address requires a session confirmed with the second factor, not only a password.
    if (isEmailChanged && (await this.secondFactors.find(user.id)) !== null) requireConfirmed(principal);
    if (logins.password !== null) await this.requirePassword(user, logins.password, body.current_password);
    const changed = await this.accounts.change(user, body);
    if (changed === null) {
      throw new ProblemError('conflict', 'Another account already uses this email address. Use a different one.', {
        errors: [{ pointer: '/email', detail: "must not be another account's email address" }],
      });
    }
    await this.changes.apply();
    // Device cookies identify accounts by email address, so the cookie must be replaced.
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

  private getProviderName({ email }: SessionUser, { hasProvider }: Logins): string | null {
    return hasProvider || this.oidc.isProviderRequired(email)
      ? (this.oidc.providerInfo?.name ?? 'single sign-on')
      : null;
  }

  /** @throws {ProblemError} 422 if the password is missing or wrong, or 429 after too many attempts. */
  private async requirePassword({ id }: SessionUser, hash: string, currentPassword: string | undefined): Promise<void> {
    if (currentPassword === undefined) {
      throw new ProblemError('invalid-body', 'Enter your current password to change your account.', {
        errors: [{ pointer: '/current_password', detail: 'is required: enter your current password' }],
      });
    }
    await this.attempts.password(id);
    if (await this.passwords.verify(currentPassword, hash, 'known')) return;
    throw new ProblemError('invalid-body', 'The current password is wrong.', {
      errors: [{ pointer: '/current_password', detail: 'is incorrect' }],
      rejected: 'password',
    });
  }
}
