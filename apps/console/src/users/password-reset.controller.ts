import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { NewPasswordSchema, validator, type OpenPasswordReset, type User } from '#libs/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessChanges } from '../access/access-changes.service.js';
import { notFound } from '../access/principal.js';
import { AttemptsService } from '../accounts/attempts.service.js';
import { AuthenticationService } from '../accounts/authentication.service.js';
import { hashPassword } from '../accounts/password-hash.js';
import { checked } from '../checked.js';
import { PasswordResetsRepository } from './password-resets.repository.js';

const newPassword = validator(NewPasswordSchema);

/** A new password for whoever has the link. */
@Controller('api/password-resets/:token')
export class PasswordResetController {
  constructor(
    @Inject(PasswordResetsRepository) private readonly resets: PasswordResetsRepository,
    @Inject(AuthenticationService) private readonly authentication: AuthenticationService,
    @Inject(AttemptsService) private readonly attempts: AttemptsService,
    @Inject(AccessChanges) private readonly changes: AccessChanges,
  ) {}

  @Get()
  @RouteConfig({ access: 'visitor' })
  async show(@Param('token') token: string): Promise<OpenPasswordReset> {
    const reset = await this.resets.find(token);
    if (reset === null) throw notFound('link for a new password');
    return reset;
  }

  @Post()
  @HttpCode(200)
  @RouteConfig({ access: 'visitor' })
  async use(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('token') token: string,
    @Body() body: unknown,
  ): Promise<{ user: User }> {
    const { password } = checked(newPassword, body);
    await this.attempts.fromNetwork(request);
    if ((await this.resets.find(token)) === null) throw notFound('link for a new password');
    const user = await this.resets.use(token, await hashPassword(password));
    if (user === null) throw notFound('link for a new password');
    await this.changes.apply();
    await this.authentication.signIn(request, reply, user.email, password);
    return { user };
  }
}
