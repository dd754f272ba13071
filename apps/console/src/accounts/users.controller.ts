import { Controller, Inject } from '@nestjs/common';
import {
  changeUser,
  createPasswordReset,
  listUsers,
  removeUser,
  type Account,
  type ChangedAccount,
  type RevealedPasswordReset,
} from '#libs/contracts';
import { Handle, notFound, ProblemError, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import { PUBLIC_URL } from '../public-url.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { UsersRepository } from './users.repository.js';

@Controller()
export class UsersController {
  constructor(
    private readonly users: UsersRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly changes: AccessChanges,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Handle(listUsers)
  async list(): Promise<{ users: Account[] }> {
    return { users: await this.users.list() };
  }

  @Handle(changeUser)
  async change({ params: { userId }, principal, body }: RequestOf<typeof changeUser>): Promise<ChangedAccount> {
    const id = userId;
    const ended = await this.users.setAdmin(id, body.is_admin, principal.makerId);
    if (typeof ended === 'string') throw refusal(ended);
    await this.changes.apply();
    const [account] = await this.users.list(id);
    if (account === undefined) throw notFound('account');
    return { ...account, ended };
  }

  @Handle(removeUser)
  async remove({ params: { userId }, principal }: RequestOf<typeof removeUser>): Promise<void> {
    const outcome = await this.users.remove(userId, principal.makerId);
    if (outcome !== null) throw refusal(outcome);
    await this.changes.apply();
  }

  @Handle(createPasswordReset)
  async reset({ principal, body }: RequestOf<typeof createPasswordReset>): Promise<RevealedPasswordReset> {
    const made = await this.resets.create(body.email, principal.makerId);
    if (made === 'unknown') throw notFound('account');
    if (made === 'without-password') {
      throw new ProblemError('conflict', 'This account has no password: it signs in with the OpenID provider.');
    }
    const { token, ...reset } = made;
    return { ...reset, url: `${this.publicUrl}/password-resets/${token}` };
  }
}

const refusal = (outcome: 'unknown' | 'last'): ProblemError =>
  outcome === 'unknown'
    ? notFound('account')
    : new ProblemError('conflict', 'This is the only administrator. Make someone else an administrator first.');
