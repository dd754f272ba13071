import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, ProblemError, unauthorized, type Logger } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionCookie } from '../access/session-cookie.js';
import type { HashPriority } from '../passwords/hash-pool.js';
import { checkNewPassword } from '../passwords/new-password.js';
import { PasswordHasher } from '../passwords/password-hasher.service.js';
import { PUBLIC_URL } from '../public-url.js';
import { AccountsRepository } from './accounts.repository.js';
import { authenticationSettings } from './authentication.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

type Authentication = Awaited<ReturnType<AuthenticationService['load']>>;

/** What is known of whom a session is opened for. */
interface Opening {
  /** Whom `openSession` opens it for; null: the owner of the password. */
  userId: string | null;
  /** Whose second factor was shown; null: nobody's. */
  shownBy: string | null;
  /** Of the hashes of passwords. */
  priority: HashPriority;
  /** What the session is opened by, other than the password. */
  openedBy?: string | undefined;
  /** Whose second factor is due, so that no session was opened; null: nobody's. */
  dueOf: string | null;
}

/** Checks passwords, starts and ends sessions. What a session may do is up to `AccessService`. */
@Injectable()
export class AuthenticationService {
  private loaded: Promise<Authentication> | null = null;
  private readonly opening = new AsyncLocalStorage<Opening>();

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly secondFactors: SecondFactorsRepository,
    private readonly passwords: PasswordHasher,
    private readonly cookie: SessionCookie,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Opens a session, unless a second factor is due, and sets its cookie.
   *
   * @returns whose second factor is due; null where a session was opened.
   * @throws ProblemError 401, the same after the same time, whatever is wrong; 429 when too many passwords are being checked.
   */
  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    { email, password, priority }: { email: string; password: string; priority: HashPriority },
  ): Promise<string | null> {
    const { api } = await this.authentication();
    const signIn = () =>
      api.signInEmail({ body: { email, password }, headers: requestHeaders(request), returnHeaders: true });
    const refuse = orProblem(() => unauthorized('The e-mail address or the password is wrong.'));
    return this.openUnlessDue(reply, { userId: null, shownBy: null, priority, dueOf: null }, () =>
      signIn().catch(refuse),
    );
  }

  /**
   * Opens a session for somebody who has just chosen their password, which isn't hashed again, and sets its cookie.
   *
   * @returns as {@link signIn}.
   */
  async openWithNewPassword(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<string | null> {
    const { api } = await this.authentication();
    return this.openUnlessDue(reply, { userId, shownBy: null, priority: 'known', dueOf: null }, () =>
      api.openSession({ headers: requestHeaders(request), returnHeaders: true }),
    );
  }

  /** Opens a session for somebody who has shown all that it takes, and sets its cookie. */
  async openSession(
    request: FastifyRequest,
    reply: FastifyReply,
    { userId, openedBy }: { userId: string; openedBy?: 'passkey' },
  ): Promise<void> {
    const { api } = await this.authentication();
    const open = () => api.openSession({ headers: requestHeaders(request), returnHeaders: true });
    const opening: Opening = { userId, shownBy: userId, openedBy, priority: 'known', dueOf: null };
    passCookies((await this.opening.run(opening, open)).headers, reply);
  }

  /** @throws ProblemError 422 for a password that is easy to guess, given whose it is. */
  async hashNewPassword(password: string, { email, name }: { email: string; name?: string }): Promise<string> {
    await checkNewPassword(password, { email, name, url: this.publicUrl }, '/password');
    return this.passwords.hash(password, 'known');
  }

  /** Ends the session, if there is one, and removes the cookie. */
  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { api } = await this.authentication();
    passCookies((await api.signOut({ headers: requestHeaders(request), returnHeaders: true })).headers, reply);
  }

  /** Extends a session that is in use. */
  async renew(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { api } = await this.authentication();
    passCookies((await api.getSession({ headers: requestHeaders(request), returnHeaders: true })).headers, reply);
  }

  /**
   * Ends all sessions of the user. One with a new cookie follows, opened by what the former was: by a passkey, it owes no
   * second factor. Call only where a second factor was shown
   * lately, if there is one.
   *
   * @throws ProblemError 422 when the current password is wrong or the next one is easy to guess, 409 without a password.
   */
  async changePassword(request: FastifyRequest, reply: FastifyReply, current: string, next: string): Promise<void> {
    const { id, email, name, sessionId } = request.principal.user!;
    await checkNewPassword(next, { email, name, url: this.publicUrl }, '/new_password');
    const { api } = await this.authentication();
    const change = () =>
      api.changePassword({
        body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
        headers: requestHeaders(request),
        returnHeaders: true,
      });
    const openedBy = await this.accounts.openingOf(sessionId);
    const answer = await this.opening
      .run({ userId: null, shownBy: id, openedBy, priority: 'known', dueOf: null }, change)
      .catch(orProblem(passwordProblem));
    passCookies(answer.headers, reply);
  }

  private authentication(): Promise<Authentication> {
    // After a failure, the next request tries again.
    this.loaded ??= this.load().catch((error: unknown) => {
      this.loaded = null;
      throw error;
    });
    return this.loaded;
  }

  /** Loaded at the first sign-in only: it takes 50 MB and a quarter of a second. */
  private async load() {
    const [{ betterAuth }, { sessionOpener }] = await Promise.all([
      import('better-auth'),
      import('./session-opener.js'),
    ]);
    const { cookie, publicUrl, logger } = this;
    const settings = authenticationSettings({
      database: this.accounts.pool,
      cookie,
      publicUrl,
      logger,
      password: {
        hash: (password) => this.passwords.hash(password, this.priority),
        verify: ({ password, hash }) => this.passwords.verify(password, hash, this.priority),
      },
      // Of whatever opens a session with a password: what doesn't say that a second factor was shown, is refused.
      databaseHooks: { session: { create: { before: ({ userId }) => this.beforeSession(userId) } } },
    });
    const opener = sessionOpener(() => this.opening.getStore()?.userId ?? null);
    return betterAuth({ ...settings, plugins: [opener] });
  }

  private get priority(): HashPriority {
    return this.opening.getStore()?.priority ?? 'stranger';
  }

  /** Opens a session and sets its cookie. @returns whose second factor is due instead; null where a session was opened. */
  private async openUnlessDue(
    reply: FastifyReply,
    opening: Opening,
    open: () => Promise<{ headers: Headers }>,
  ): Promise<string | null> {
    try {
      passCookies((await this.opening.run(opening, open)).headers, reply);
    } catch (error) {
      if (opening.dueOf === null) throw error;
    }
    return opening.dueOf;
  }

  /** @returns false to refuse a session, as the library has it. */
  private async beforeSession(userId: string): Promise<false | { data: { opened_by: string } } | undefined> {
    const opening = this.opening.getStore();
    if (opening?.shownBy === userId) {
      return opening.openedBy === undefined ? undefined : { data: { opened_by: opening.openedBy } };
    }
    if ((await this.secondFactors.find(userId)) === null) return undefined;
    if (opening !== undefined) opening.dueOf = userId;
    return false;
  }
}

/** The headers of a request that better-auth needs. */
export function requestHeaders(request: FastifyRequest): Headers {
  const { cookie = '', 'user-agent': userAgent = '' } = request.headers;
  return new Headers({
    cookie,
    'user-agent': userAgent.slice(0, 500),
    'x-agent-traffic-client-address': request.clientAddress,
  });
}

export function passCookies(headers: Headers, reply: FastifyReply): void {
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) void reply.header('set-cookie', cookies);
}

/** The library's refusals carry a code; anything else is a failure. */
const orProblem =
  (problem: (code: string) => ProblemError) =>
  (error: unknown): never => {
    const code = (error as { body?: { code?: unknown } } | null)?.body?.code;
    throw typeof code === 'string' ? problem(code) : error;
  };

function passwordProblem(code: string): ProblemError {
  if (code === 'CREDENTIAL_ACCOUNT_NOT_FOUND') {
    return new ProblemError('conflict', 'This account has no password: it signs in with the OpenID provider.');
  }
  if (code !== 'INVALID_PASSWORD') return unauthorized('The session has ended. Sign in again.');
  return new ProblemError('invalid-body', 'The current password is wrong.', {
    errors: [{ pointer: '/current_password', detail: 'must be your current password' }],
    rejected: 'password',
  });
}
