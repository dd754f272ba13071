import { Injectable } from '@nestjs/common';
import type { SignInAnswer, User } from '#libs/contracts';
import { unauthorized } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HashPriority } from '../passwords/hash-pool.js';
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
   * @throws ProblemError 401, the same after the same time, whatever is wrong; 429 when too many passwords are being checked.
   */
  async withPassword(
    request: FastifyRequest,
    reply: FastifyReply,
    credentials: { email: string; password: string; priority: HashPriority },
  ): Promise<SignInAnswer> {
    const dueOf = await this.authentication.signIn(request, reply, credentials);
    if (dueOf !== null) return this.begin(reply, dueOf);
    const user = await this.accounts.find(credentials.email);
    if (user !== null) this.notices.signedIn(request, reply, user);
    return { user, second_factor_required: false };
  }

  /**
   * Likewise, for somebody who has just chosen their password.
   *
   * @param isNewAccount whether the account was created with it.
   */
  async withNewPassword(
    request: FastifyRequest,
    reply: FastifyReply,
    user: User,
    { isNewAccount = false } = {},
  ): Promise<SignInAnswer> {
    const dueOf = await this.authentication.openWithNewPassword(request, reply, user.id);
    if (dueOf !== null) return this.begin(reply, dueOf);
    this.notices.signedIn(request, reply, user, { isNewAccount });
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

  /** Begins a sign-in that {@link withCode} finishes. */
  private async begin(reply: FastifyReply, userId: string): Promise<SignInAnswer> {
    const token = await this.pending.create(userId);
    void reply.header('set-cookie', this.pendingCookie.issue(token, PENDING_MINUTES * 60));
    return { user: null, second_factor_required: true };
  }
}

const over = () =>
  unauthorized('This sign-in took too long, or had too many wrong codes. Start again with your password.');
