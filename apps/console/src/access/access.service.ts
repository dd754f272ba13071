import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache, LookupUnavailableError, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL } from '#libs/contracts';
import { CredentialUsage, hashCredential, isMalformedCredential } from '#libs/database';
import { unauthorized, unavailable } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { PUBLIC_URL } from '../public-url.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { isConfirmed, isSafe, sessionEnded, type Principal } from './principal.js';
import { requireSameOrigin } from './same-origin.js';
import { SessionCookie } from './session-cookie.js';
import { SessionsRepository } from './sessions.repository.js';

/** Maximum number of cached sessions. All cached sessions are reloaded every few seconds. */
const MAX_SESSIONS = 2_000;

/** Authenticates API keys and sessions. A revocation usually takes effect immediately, and within 5 s at the latest. */
@Injectable()
export class AccessService implements OnApplicationShutdown {
  private readonly keys: LookupCache<Principal>;
  private readonly sessions: LookupCache<Principal>;
  private readonly unsubscribe: () => void;

  constructor(
    keys: ApiKeysRepository,
    sessions: SessionsRepository,
    private readonly cookie: SessionCookie,
    private readonly usage: CredentialUsage,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    pubSub: PubSub,
  ) {
    this.keys = new LookupCache({ load: (hashes) => keys.find(hashes) });
    this.sessions = new LookupCache({ load: (hashes) => sessions.find(hashes), maxEntries: MAX_SESSIONS });
    this.unsubscribe = pubSub.subscribe(ACCESS_CHANNEL, () => void this.refresh());
  }

  /**
   * Authenticates a request by its API key, or by its session cookie if it has no key.
   *
   * @param confirms Whether the operation requires a recent identity confirmation.
   * @throws {ProblemError} 401 without a valid credential, 403 if another site sent the cookie, or 503 if the
   * credential can't be checked.
   */
  async authorize(request: FastifyRequest, confirms = false): Promise<Principal> {
    const { authorization } = request.headers;
    if (authorization !== undefined) return this.authenticateKey(authorization);
    const token = this.cookie.readToken(request.headers.cookie);
    if (token === null) {
      throw unauthorized('Sign in, or send the header "Authorization: Bearer <API key>".');
    }
    requireSameOrigin(request, { publicUrl: this.publicUrl, isStrict: true });
    const principal = await this.authenticateSession(token, confirms || !isSafe(request.method));
    if (principal === undefined) throw sessionEnded();
    return principal;
  }

  /**
   * Returns the signed-in user, or null if nobody is signed in.
   *
   * @throws {ProblemError} 403 if another site sent the request, or 503 if the session can't be checked.
   */
  async recognize(request: FastifyRequest): Promise<Principal | null> {
    const token = this.cookie.readToken(request.headers.cookie);
    requireSameOrigin(request, { publicUrl: this.publicUrl, isStrict: token !== null });
    return token === null ? null : ((await this.authenticateSession(token, !isSafe(request.method))) ?? null);
  }

  /**
   * Looks up a session. If the request could be rejected because a second factor or confirmation is missing, reloads
   * the session first, because another replica may have just recorded it.
   *
   * @param confirms Whether the operation requires a recent identity confirmation.
   */
  private async authenticateSession(token: string, confirms: boolean): Promise<Principal | undefined> {
    const hash = hashCredential(token).toString('hex');
    const principal = await orUnavailable(() => this.sessions.get(hash));
    const user = principal?.user ?? null;
    if (user === null || (!user.mustSetUpSecondFactor && (!confirms || isConfirmed(user)))) return principal;
    return orUnavailable(() => this.sessions.getFresh(hash));
  }

  /** Reloads all cached credentials. Resolves once earlier changes are in effect on this replica. */
  async refresh(): Promise<void> {
    await Promise.all([this.keys.refresh(), this.sessions.refresh()]);
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
    this.keys.close();
    this.sessions.close();
  }

  private async authenticateKey(authorization: string): Promise<Principal> {
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (key === undefined) throw unauthorized('Send the header "Authorization: Bearer <API key>".');
    const principal = await orUnavailable(() => this.keys.get(hashCredential(key).toString('hex')));
    if (principal !== undefined) {
      const { expiresAt } = principal;
      if (expiresAt !== null && expiresAt <= Date.now()) {
        throw unauthorized(
          `The API key expired on ${new Date(expiresAt).toISOString().slice(0, 10)}. Create a new one.`,
        );
      }
      this.usage.record(principal.keyId);
      return principal;
    }
    if (key.startsWith('agt_'))
      throw unauthorized("This is a project's access token, which can't read data. Use an API key instead.");
    throw unauthorized(
      isMalformedCredential(key, 'agk_')
        ? 'The API key looks incomplete or mistyped. Copy it again.'
        : 'The API key is unknown or was revoked.',
    );
  }
}

async function orUnavailable(lookUp: () => Promise<Principal | undefined>): Promise<Principal | undefined> {
  try {
    return await lookUp();
  } catch (error) {
    if (!(error instanceof LookupUnavailableError)) throw error;
    throw unavailable('Sign-in is temporarily unavailable. Try again in a moment.', error, 2);
  }
}
