import { Controller, Inject } from '@nestjs/common';
import { getSession, signOut, type Session, type User } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { AccessChanges } from '../access/access-changes.service.js';
import type { SessionUser } from '../access/principal.js';
import { AccountsRepository } from './accounts.repository.js';
import { SESSION_RENEWAL_SECONDS, SESSION_SECONDS } from './authentication.js';
import { AuthenticationService } from './authentication.service.js';
import { OidcService } from './oidc.service.js';

/** Who is signed in, and signing out. */
@Controller()
export class SessionController {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly accounts: AccountsRepository,
    private readonly changes: AccessChanges,
    private readonly oidc: OidcService,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getSession)
  async show({ raw: request, reply }: RequestOf<typeof getSession>): Promise<Session> {
    const user = request.visitor?.user ?? null;
    void reply.header('cache-control', 'no-store');
    if (user !== null && this.isDue(user)) await this.authentication.renew(request, reply);
    return {
      user: user && toUser(user),
      second_factor_due: user?.owesSecondFactor ?? false,
      setup_required: user === null && (await this.accounts.isSetupRequired()),
      oidc: this.oidc.shown,
    };
  }

  @Handle(signOut)
  async signOut({ raw: request, reply }: RequestOf<typeof signOut>): Promise<void> {
    await this.authentication.signOut(request, reply);
    if (request.visitor?.user != null) await this.changes.apply();
  }

  private isDue({ sessionExpiresAt }: SessionUser): boolean {
    return sessionExpiresAt - this.now() < (SESSION_SECONDS - SESSION_RENEWAL_SECONDS) * 1_000;
  }
}

const toUser = ({ id, email, name, is_admin }: SessionUser): User => ({ id, email, name, is_admin });
