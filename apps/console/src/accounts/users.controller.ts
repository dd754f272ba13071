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
    const revoked = await this.users.setAdmin(id, body.is_admin, principal.makerId);
    if (typeof revoked === 'string') throw toProblem(revoked);
    await this.changes.apply();
    const [account] = await this.users.list(id);
    if (account === undefined) throw notFound('account');
    return { ...account, ended: revoked };
  }

  @Handle(removeUser)
  async remove({ params: { userId }, principal }: RequestOf<typeof removeUser>): Promise<void> {
    const outcome = await this.users.remove(userId, principal.makerId);
    if (outcome !== null) throw toProblem(outcome);
    await this.changes.apply();
  }

  @Handle(createPasswordReset)
  async reset({ principal, body }: RequestOf<typeof createPasswordReset>): Promise<RevealedPasswordReset> {
    const created = await this.resets.create(body.email, principal.makerId);
    if (created === 'unknown') throw notFound('account');
    if (created === 'without-password') {
      throw new ProblemError('conflict', 'This account has no password because it signs in with the OpenID provider.');
    }
    const { token, ...reset } = created;
    return { ...reset, url: `${this.publicUrl}/password-resets/${token}` };
  }
}

const toProblem = (outcome: 'unknown' | 'last'): ProblemError =>
  outcome === 'unknown'
    ? notFound('account')
    : new ProblemError('conflict', 'This is the only administrator. Make someone else an administrator first.');
