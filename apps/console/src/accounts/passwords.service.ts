import { Inject, Injectable } from '@nestjs/common';
import type { User } from '#libs/contracts';
import { ProblemError, unauthorized } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import type { HashPriority } from '../passwords/hash-pool.js';
import { checkNewPassword } from '../passwords/new-password.js';
import { PasswordHasher } from '../passwords/password-hasher.service.js';
import { PUBLIC_URL } from '../public-url.js';
import { AccountsRepository } from './accounts.repository.js';
import { OwnAccountRepository } from './own-account.repository.js';
import { SignInsRepository } from './sign-ins.repository.js';
import { clientOf } from './sign-ins.service.js';

@Injectable()
export class PasswordsService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly ownAccounts: OwnAccountRepository,
    private readonly signIns: SignInsRepository,
    private readonly hasher: PasswordHasher,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  /**
   * Checks a password. Returns the account with its password hash.
   *
   * @throws ProblemError 401 with the same text and timing for every cause, 429 if too many checks are in progress.
   */
  async check(email: string, password: string, priority: HashPriority): Promise<{ user: User; hash: string }> {
    // PostgreSQL rejects NUL characters.
    const found = email.includes('\0') ? null : await this.accounts.findWithPassword(email);
    // Unknown addresses are hashed too, so they take the same time.
    const isRight = await this.hasher.verify(password, found?.hash ?? '', priority);
    if (found === null || !isRight) throw unauthorized('The e-mail address or the password is wrong.');
    return found;
  }

  /** Hashes a new password. @throws ProblemError 422 if it's easy to guess, also from the email address or name. */
  async hashNew(password: string, { email, name }: { email: string; name?: string }): Promise<string> {
    await checkNewPassword(password, { email, name, url: this.publicUrl }, '/password');
    return this.hasher.hash(password, 'known');
  }

  /**
   * Changes the password of the signed-in person. Ends all their sessions and opens a new one. If the account has a
   * second factor, the caller must require a recent confirmation.
   *
   * @returns the token of the new session.
   * @throws ProblemError 422 if the current password is wrong or the new one is easy to guess, 409 without a password.
   */
  async change(request: FastifyRequest, current: string, next: string): Promise<string> {
    const user = request.principal.user!;
    await checkNewPassword(next, { email: user.email, name: user.name, url: this.publicUrl }, '/new_password');
    const { password: former } = await this.ownAccounts.logins(user.id);
    if (former === null) {
      throw new ProblemError('conflict', 'This account has no password: it signs in with the OpenID provider.');
    }
    if (!(await this.hasher.verify(current, former, 'known'))) throw wrongPassword();
    const hash = await this.hasher.hash(next, 'known');
    const session = await this.signIns.changePassword(user, { former, next: hash }, clientOf(request));
    if (session === null) throw wrongPassword();
    return session;
  }
}

const wrongPassword = (): ProblemError =>
  new ProblemError('invalid-body', 'The current password is wrong.', {
    errors: [{ pointer: '/current_password', detail: 'must be your current password' }],
    rejected: 'password',
  });
