import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Put, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { PasswordChangeSchema, SignInSchema, validator, type Session, type User } from '#libs/contracts';
import { CLOCK, ProblemError, type Clock } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessChanges } from '../access/access-changes.service.js';
import type { SessionUser } from '../access/principal.js';
import { checked } from '../checked.js';
import { AccountsRepository } from './accounts.repository.js';
import { AttemptsService } from './attempts.service.js';
import { SESSION_RENEWAL_SECONDS, SESSION_SECONDS } from './authentication.js';
import { AuthenticationService } from './authentication.service.js';
import { OidcService } from './oidc.service.js';

const signIn = validator(SignInSchema);
const passwordChange = validator(PasswordChangeSchema);

/** Signing in, and out again. */
@Controller('api/session')
export class SessionController {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly accounts: AccountsRepository,
    private readonly attempts: AttemptsService,
    private readonly changes: AccessChanges,
    private readonly oidc: OidcService,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Get()
  @RouteConfig({ access: 'visitor' })
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Session> {
    const user = request.visitor?.user ?? null;
    void reply.header('cache-control', 'no-store');
    if (user !== null && this.isDue(user)) await this.authentication.renew(request, reply);
    return {
      user: user && toUser(user),
      setup_required: user === null && (await this.accounts.isSetupRequired()),
      oidc: this.oidc.shown,
    };
  }

  @Post()
  @HttpCode(200)
  @RouteConfig({ access: 'visitor' })
  async signIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<{ user: User }> {
    const { email, password } = checked(signIn, body);
    await this.attempts.signIn(request, email);
    await this.authentication.signIn(request, reply, email, password);
    const user = await this.accounts.find(email);
    return { user: user! };
  }

  @Delete()
  @HttpCode(204)
  @RouteConfig({ access: 'visitor' })
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.authentication.signOut(request, reply);
    await this.changes.apply();
  }

  @Put('password')
  @HttpCode(204)
  @RouteConfig({ access: 'console' })
  async changePassword(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    const { user } = request.principal;
    if (user === null) throw new ProblemError('forbidden', 'An API key has no password; sign in to change yours.');
    const { current_password: current, new_password: next } = checked(passwordChange, body);
    await this.attempts.password(user.id);
    await this.authentication.changePassword(request, reply, current, next);
    await this.accounts.forgetPasswordReset(user.id);
    await this.changes.apply();
  }

  private isDue({ sessionExpiresAt }: SessionUser): boolean {
    return sessionExpiresAt - this.now() < (SESSION_SECONDS - SESSION_RENEWAL_SECONDS) * 1_000;
  }
}

const toUser = ({ id, email, name, is_admin }: SessionUser): User => ({ id, email, name, is_admin });
