import { Controller, Inject } from '@nestjs/common';
import { getSession, signOut, type Session, type User } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import type { SessionUser } from '../access/principal.js';
import { SESSION_SECONDS, SessionCookie } from '../access/session-cookie.js';
import { SessionsRepository } from '../access/sessions.repository.js';
import { AccountsRepository } from './accounts.repository.js';
import { OidcService } from './oidc.service.js';

/** Minimum time between extensions of a session. */
const RENEWAL_SECONDS = 86_400;

@Controller()
export class SessionController {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly cookie: SessionCookie,
    private readonly accounts: AccountsRepository,
    private readonly changes: AccessChanges,
    private readonly oidc: OidcService,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getSession)
  async show({ raw: request, reply }: RequestOf<typeof getSession>): Promise<Session> {
    const user = request.visitor?.user ?? null;
    void reply.header('cache-control', 'no-store');
    const token = this.cookie.readToken(request.headers.cookie);
    if (user !== null && token !== null && this.shouldExtend(user) && (await this.sessions.extend(token))) {
      void reply.header('set-cookie', this.cookie.issue(token));
    }
    return {
      user: user && toUser(user),
      second_factor_due: user?.mustSetUpSecondFactor ?? false,
      setup_required: user === null && (await this.accounts.isSetupRequired()),
      oidc: this.oidc.providerInfo,
    };
  }

  @Handle(signOut)
  async signOut({ raw: request, reply }: RequestOf<typeof signOut>): Promise<void> {
    const token = this.cookie.readToken(request.headers.cookie);
    if (token !== null) await this.sessions.delete(token);
    void reply.header('set-cookie', this.cookie.remove());
    if (request.visitor?.user != null) await this.changes.apply();
  }

  private shouldExtend({ sessionExpiresAt }: SessionUser): boolean {
    return sessionExpiresAt - this.now() < (SESSION_SECONDS - RENEWAL_SECONDS) * 1_000;
  }
}

const toUser = ({ id, email, name, is_admin }: SessionUser): User => ({ id, email, name, is_admin });
