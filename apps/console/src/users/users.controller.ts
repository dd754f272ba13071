import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  AccountChangeSchema,
  NewPasswordResetSchema,
  validator,
  type Account,
  type ChangedAccount,
  type RevealedPasswordReset,
} from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { AccessChanges } from '../access/access-changes.service.js';
import { notFound, requireAdmin, requireId } from '../access/principal.js';
import { checked } from '../checked.js';
import { PUBLIC_URL } from '../public-url.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { UsersRepository } from './users.repository.js';

const accountChange = validator(AccountChangeSchema);
const newPasswordReset = validator(NewPasswordResetSchema);

/** Everybody's accounts, as administrators have them. */
@Controller('api')
export class UsersController {
  constructor(
    private readonly users: UsersRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly changes: AccessChanges,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Get('users')
  @RouteConfig({ access: 'console' })
  async list(@Req() { principal }: FastifyRequest): Promise<{ users: Account[] }> {
    requireAdmin(principal);
    return { users: await this.users.list() };
  }

  @Patch('users/:userId')
  @RouteConfig({ access: 'console' })
  async change(
    @Req() { principal }: FastifyRequest,
    @Param('userId') userId: string,
    @Body() body: unknown,
  ): Promise<ChangedAccount> {
    requireAdmin(principal);
    const id = requireId(userId, 'account');
    const ended = await this.users.setAdmin(id, checked(accountChange, body).is_admin, principal.makerId);
    if (typeof ended === 'string') throw refusal(ended);
    await this.changes.apply();
    const [account] = await this.users.list(id);
    if (account === undefined) throw notFound('account');
    return { ...account, ended };
  }

  @Delete('users/:userId')
  @HttpCode(204)
  @RouteConfig({ access: 'console' })
  async remove(@Req() { principal }: FastifyRequest, @Param('userId') userId: string): Promise<void> {
    requireAdmin(principal);
    const outcome = await this.users.remove(requireId(userId, 'account'), principal.makerId);
    if (outcome !== null) throw refusal(outcome);
    await this.changes.apply();
  }

  @Post('password-resets')
  @RouteConfig({ access: 'console' })
  async reset(@Req() { principal }: FastifyRequest, @Body() body: unknown): Promise<RevealedPasswordReset> {
    requireAdmin(principal);
    const made = await this.resets.create(checked(newPasswordReset, body).email, principal.makerId);
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
    : new ProblemError('conflict', 'This is the only administrator. Make somebody else one first.');
