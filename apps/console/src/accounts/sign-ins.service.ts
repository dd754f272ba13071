import { Injectable } from '@nestjs/common';
import type { SignInAnswer, User } from '#libs/contracts';
import { unauthorized } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PendingCookie } from '../access/pending-cookie.js';
import { AccountsRepository } from './accounts.repository.js';
import { AuthenticationService } from './authentication.service.js';
import { PENDING_MINUTES, PendingSignInsRepository } from './pending-sign-ins.repository.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SignInNotices } from './sign-in-notices.service.js';

/** Signing in, in one step or in two. */
@Injectable()
export class SignInsService {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly accounts: AccountsRepository,
    private readonly pending: PendingSignInsRepository,
    private readonly secondFactors: SecondFactorsService,
    private readonly pendingCookie: PendingCookie,
    private readonly notices: SignInNotices,
  ) {}

  /**
   * Opens a session, or begins a sign-in that a second factor finishes.
   *
   * @param isNewAccount whether the account was made just now.
   * @throws ProblemError 401, the same after the same time, whatever is wrong.
   */
  async withPassword(
    request: FastifyRequest,
    reply: FastifyReply,
    { email, password, isNewAccount = false }: { email: string; password: string; isNewAccount?: boolean },
  ): Promise<SignInAnswer> {
    const dueOf = await this.authentication.signIn(request, reply, email, password);
    if (dueOf !== null) {
      const token = await this.pending.create(dueOf);
      void reply.header('set-cookie', this.pendingCookie.issue(token, PENDING_MINUTES * 60));
      return { user: null, second_factor_required: true };
    }
    const user = await this.accounts.find(email);
    if (user !== null) this.notices.signedIn(request, reply, user, { isNewAccount });
    return { user, second_factor_required: false };
  }

  /** Opens a session for somebody whose passkey signed: two factors in one. */
  async withPasskey(request: FastifyRequest, reply: FastifyReply, user: User): Promise<void> {
    await this.authentication.openSession(request, reply, { userId: user.id, openedBy: 'passkey' });
    this.notices.signedIn(request, reply, user);
  }

  /** Opens the session. @throws ProblemError 401 when no sign-in waits for it, 422 for a wrong code, 429 after many. */
  async withCode(request: FastifyRequest, reply: FastifyReply, code: string): Promise<User> {
    const token = this.pendingCookie.tokenIn(request.headers.cookie);
    const user = token === null ? null : await this.pending.attempt(token);
    if (token === null || user === null) throw over();
    await this.secondFactors.require(request, user, code);
    // Of several requests with codes that count, one goes on.
    if (!(await this.pending.finish(token))) throw over();
    await this.authentication.openSession(request, reply, { userId: user.id });
    void reply.header('set-cookie', this.pendingCookie.remove());
    this.notices.signedIn(request, reply, user);
    return user;
  }
}

const over = () =>
  unauthorized('This sign-in took too long, or had too many wrong codes. Start again with your password.');
