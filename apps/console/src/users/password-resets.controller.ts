import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { PasswordResetSchema, validator, type OpenPasswordReset, type User } from '#libs/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessChanges } from '../access/access-changes.service.js';
import { notFound } from '../access/principal.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { AttemptsService } from '../accounts/attempts.service.js';
import { AuthenticationService } from '../accounts/authentication.service.js';
import { checked } from '../checked.js';
import { PasswordResetsRepository } from './password-resets.repository.js';

const passwordReset = validator(PasswordResetSchema);

/** New passwords, as whoever has the link chooses them. */
@Controller('api/password-resets/:token')
export class PasswordResetsController {
  constructor(
    private readonly resets: PasswordResetsRepository,
    private readonly accounts: AccountsRepository,
    private readonly authentication: AuthenticationService,
    private readonly attempts: AttemptsService,
    private readonly changes: AccessChanges,
  ) {}

  @Get()
  @RouteConfig({ access: 'visitor' })
  async show(@Param('token') token: string): Promise<OpenPasswordReset> {
    const reset = await this.resets.find(token);
    if (reset === null) throw notFound('link');
    return reset;
  }

  @Post()
  @HttpCode(200)
  @RouteConfig({ access: 'visitor' })
  async choose(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('token') token: string,
    @Body() body: unknown,
  ): Promise<{ user: User }> {
    const { password } = checked(passwordReset, body);
    // Before the password is hashed, which takes its time. Whoever has a link is never locked out.
    const reset = await this.resets.find(token);
    if (reset === null) {
      await this.attempts.fromNetwork(request);
      throw notFound('link');
    }
    const hash = await this.authentication.hashNewPassword(password, reset);
    const email = await this.resets.use(token, hash);
    if (email === null) throw notFound('link');
    await this.changes.apply();
    await this.authentication.signIn(request, reply, email, password);
    return { user: (await this.accounts.find(email))! };
  }
}
