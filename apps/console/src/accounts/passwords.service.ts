import { Inject, Injectable } from '@nestjs/common';
import type { User } from '#libs/contracts';
import { ProblemError, unauthorized } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import type { HashPriority } from '../passwords/hash-pool.js';
import { requireStrongPassword } from '../passwords/new-password.js';
import { PasswordHasher } from '../passwords/password-hasher.service.js';
import { PUBLIC_URL } from '../public-url.js';
import { AccountsRepository } from './accounts.repository.js';
import { OwnAccountRepository } from './own-account.repository.js';
import { SignInsRepository } from './sign-ins.repository.js';
import { toClient } from './sign-ins.service.js';

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
   * Verifies a password and returns the account with its password hash.
   *
   * @throws {ProblemError} 401 with the same text and timing for every cause, or 429 if too many checks are in
   * progress.
   */
  async check(email: string, password: string, priority: HashPriority): Promise<{ user: User; hash: string }> {
    // PostgreSQL rejects text with NUL characters.
    const found = email.includes('\0') ? null : await this.accounts.findWithPassword(email);
    // Also hash the password for unknown addresses, so the response takes equally long.
    const isRight = await this.hasher.verify(password, found?.hash ?? '', priority);
    if (found === null || !isRight) throw unauthorized('The email address or password is wrong.');
    return found;
  }

  /**
   * Hashes a new password.
   *
   * @throws {ProblemError} 422 if the password is easy to guess, for example from the email address or name.
   */
  async hashNew(password: string, { email, name }: { email: string; name?: string }): Promise<string> {
    await requireStrongPassword(password, { email, name, url: this.publicUrl }, '/password');
    return this.hasher.hash(password, 'known');
  }

  /**
   * Changes the signed-in user's password. Ends all of their sessions and opens a new one. If the account has a second
   * factor, the caller must require a recent confirmation.
   *
   * @returns Token of the new session.
   * @throws {ProblemError} 422 if the current password is wrong or the new one is easy to guess, or 409 if the account
   * has no password.
   */
  async change(request: FastifyRequest, current: string, next: string): Promise<string> {
    const user = request.principal.user!;
    await requireStrongPassword(next, { email: user.email, name: user.name, url: this.publicUrl }, '/new_password');
    const { password: currentHash } = await this.ownAccounts.logins(user.id);
    if (currentHash === null) {
      throw new ProblemError('conflict', 'This account has no password because it signs in with the OpenID provider.');
    }
    if (!(await this.hasher.verify(current, currentHash, 'known'))) throw wrongPassword();
    const hash = await this.hasher.hash(next, 'known');
    const session = await this.signIns.changePassword(user, { former: currentHash, next: hash }, toClient(request));
    if (session === null) throw wrongPassword();
    return session;
  }
}

const wrongPassword = (): ProblemError =>
  new ProblemError('invalid-body', 'The current password is wrong.', {
    errors: [{ pointer: '/current_password', detail: 'is incorrect' }],
    rejected: 'password',
  });
