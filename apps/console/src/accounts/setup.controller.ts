import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { NewSetupCodeSchema, SetupSchema, validator, type SetupCode, type User } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAdmin } from '../access/principal.js';
import { checked } from '../checked.js';
import { AccountsRepository } from './accounts.repository.js';
import { AttemptsService } from './attempts.service.js';
import { AuthenticationService } from './authentication.service.js';

const setup = validator(SetupSchema);
const newSetupCode = validator(NewSetupCodeSchema);

/** The first administrator. */
@Controller('api')
export class SetupController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly authentication: AuthenticationService,
    private readonly attempts: AttemptsService,
  ) {}

  @Post('setup')
  @RouteConfig({ access: 'visitor' })
  async setUp(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<{ user: User }> {
    const { code, email, name, password } = checked(setup, body);
    await this.attempts.setup(request);
    if (!(await this.accounts.isSetupRequired())) throw doneBefore();
    const passwordHash = await this.authentication.hashNewPassword(password, { email, name });
    const user = await this.accounts.setUp(code, { email, name, passwordHash, isAdmin: true, isVerified: true });
    if (user === 'done-before') throw doneBefore();
    if (user === 'wrong-code') {
      throw new ProblemError(
        'forbidden',
        'The setup code is wrong, was used, or is older than a day. "agent-traffic setup-code" makes a new one.',
      );
    }
    if (user === 'known') throw new ProblemError('conflict', 'There is an account of this address. Take another one.');
    await this.authentication.signIn(request, reply, email, password);
    return { user };
  }

  @Post('setup-codes')
  @RouteConfig({ access: 'console' })
  async createCode(@Req() { principal }: FastifyRequest, @Body() body: unknown): Promise<SetupCode> {
    requireAdmin(principal);
    checked(newSetupCode, body);
    const code = await this.accounts.newSetupCode();
    if (code === null) throw doneBefore();
    return code;
  }
}

const doneBefore = (): ProblemError =>
  new ProblemError('conflict', 'There is an administrator already. Sign in, or ask them for an invitation.');
