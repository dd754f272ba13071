import { Injectable } from '@nestjs/common';
import type { SignInResponse, User } from '#libs/contracts';
import { unauthorized } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PendingCookie } from '../access/pending-cookie.js';
import { SessionCookie } from '../access/session-cookie.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SignInNotices } from './sign-in-notices.service.js';
import { PENDING_MINUTES, SignInsRepository, type Client, type Proof } from './sign-ins.repository.js';

@Injectable()
export class SignInsService {
  constructor(
    private readonly signIns: SignInsRepository,
    private readonly secondFactors: SecondFactorsService,
    private readonly sessionCookie: SessionCookie,
    private readonly pendingCookie: PendingCookie,
    private readonly notices: SignInNotices,
  ) {}

  /**
   * Opens a session, or a pending sign-in that {@link finishWithCode} can finish. Sets the corresponding cookie.
   *
   * @param isNewAccount Whether this sign-in created the account.
   * @throws {ProblemError} 401 if the proof is no longer valid.
   */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    user: User,
    proof: Proof,
    { isNewAccount = false } = {},
  ): Promise<SignInResponse> {
    const opened = await this.signIns.open(user.id, proof, toClient(request));
    if (opened === null) throw signInExpired();
    if ('pending' in opened) {
      void reply.header('set-cookie', this.pendingCookie.issue(opened.pending, PENDING_MINUTES * 60));
      return { user: null, second_factor_required: true };
    }
    void reply.header('set-cookie', this.sessionCookie.issue(opened.session));
    this.notices.onSignIn(request, reply, user, { isNewAccount });
    return { user, second_factor_required: false };
  }

  /**
   * Finishes a pending sign-in with a second-factor code.
   *
   * @throws {ProblemError} 401 without a pending sign-in, 422 if the code is wrong or already used, or 429 after too
   * many attempts.
   */
  async finishWithCode(request: FastifyRequest, reply: FastifyReply, code: string): Promise<User> {
    const pending = this.pendingCookie.readToken(request.headers.cookie);
    const user = pending === null ? null : await this.signIns.countAttempt(pending);
    if (pending === null || user === null) throw signInExpired();
    await this.secondFactors.require(request, user, code);
    await this.open(request, reply, user, { by: 'code', pending });
    void reply.header('set-cookie', this.pendingCookie.remove());
    return user;
  }
}

export const toClient = ({ clientAddress: address, headers }: FastifyRequest): Client => ({
  address,
  userAgent: headers['user-agent'] ?? '',
});

const signInExpired = () =>
  unauthorized('This sign-in expired or had too many wrong codes. Enter your password again.');
