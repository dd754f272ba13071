import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  AccountChangeSchema,
  NewPasswordResetSchema,
  validator,
  type Account,
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

/** Accounts, for administrators. */
@Controller('api/users')
export class UsersController {
  constructor(
    @Inject(UsersRepository) private readonly users: UsersRepository,
    @Inject(PasswordResetsRepository) private readonly resets: PasswordResetsRepository,
    @Inject(AccessChanges) private readonly changes: AccessChanges,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Get()
  @RouteConfig({ access: 'console' })
  async list(@Req() { principal }: FastifyRequest): Promise<{ users: Account[] }> {
    requireAdmin(principal);
    return { users: await this.users.list() };
  }

  @Patch(':userId')
  @RouteConfig({ access: 'console' })
  async change(
    @Req() { principal }: FastifyRequest,
    @Param('userId') userId: string,
    @Body() body: unknown,
  ): Promise<Account> {
    requireAdmin(principal);
    const { is_admin: isAdmin } = checked(accountChange, body);
    const changed = await this.users.setAdmin(requireId(userId, 'user'), isAdmin);
    if (changed === null) throw notFound('user');
    if (changed === 'last') throw lastAdministrator();
    await this.changes.apply();
    return changed;
  }

  @Delete(':userId')
  @HttpCode(204)
  @RouteConfig({ access: 'console' })
  async remove(@Req() { principal }: FastifyRequest, @Param('userId') userId: string): Promise<void> {
    requireAdmin(principal);
    const outcome = await this.users.remove(requireId(userId, 'user'));
    if (outcome === 'unknown') throw notFound('user');
    if (outcome === 'last') throw lastAdministrator();
    await this.changes.apply();
  }

  @Post(':userId/password-resets')
  @RouteConfig({ access: 'console' })
  async createReset(
    @Req() { principal }: FastifyRequest,
    @Param('userId') userId: string,
    @Body() body: unknown,
  ): Promise<RevealedPasswordReset> {
    requireAdmin(principal);
    checked(newPasswordReset, body);
    const made = await this.resets.create(requireId(userId, 'user'));
    if (made === null) throw notFound('user');
    const url = `${this.publicUrl.replace(/\/+$/, '')}/password-resets/${made.token}`;
    return { url, expires_at: made.expires_at };
  }
}

const lastAdministrator = (): ProblemError =>
  new ProblemError('conflict', 'This is the last administrator. Make somebody else one before.');
