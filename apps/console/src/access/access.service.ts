import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache, LookupUnavailableError, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL } from '#libs/contracts';
import { CredentialUsage, hashCredential, isDamaged } from '#libs/database';
import { unauthorized, unavailable } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { PUBLIC_URL } from '../public-url.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { isConfirmed, isSafe, sessionEnded, type Principal } from './principal.js';
import { requireSameOrigin } from './same-origin.js';
import { SessionCookie } from './session-cookie.js';
import { SessionsRepository } from './sessions.repository.js';

/** Maximum number of cached sessions. All of them are reloaded every few seconds. */
const MAX_SESSIONS = 2_000;

/** Authenticates API keys and sessions. A revocation takes effect within 5 s, usually immediately. */
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
    this.sessions = new LookupCache({ load: (hashes) => sessions.find(hashes), max: MAX_SESSIONS });
    this.unsubscribe = pubSub.subscribe(ACCESS_CHANNEL, () => void this.refresh());
  }

  /**
   * Authenticates a request by its API key, or by its session cookie if it has no key.
   *
   * @param confirms true if the operation requires that the person has confirmed their identity recently.
   * @throws ProblemError 401 without a valid credential, 403 if another site sent the cookie, 503 if the credential
   * can't be checked.
   */
  async authorize(request: FastifyRequest, confirms = false): Promise<Principal> {
    const { authorization } = request.headers;
    if (authorization !== undefined) return this.ofKey(authorization);
    const token = this.cookie.tokenIn(request.headers.cookie);
    if (token === null) {
      throw unauthorized('Sign in, or send the header "Authorization: Bearer <API key>".');
    }
    requireSameOrigin(request, { publicUrl: this.publicUrl, isStrict: true });
    const principal = await this.ofSession(token, confirms || !isSafe(request.method));
    if (principal === undefined) throw sessionEnded();
    return principal;
  }

  /**
   * Returns the signed-in person, or null.
   *
   * @throws ProblemError 403 if another site sent the request, 503 if the session can't be checked.
   */
  async recognize(request: FastifyRequest): Promise<Principal | null> {
    const token = this.cookie.tokenIn(request.headers.cookie);
    requireSameOrigin(request, { publicUrl: this.publicUrl, isStrict: token !== null });
    return token === null ? null : ((await this.ofSession(token, !isSafe(request.method))) ?? null);
  }

  /**
   * Looks up a session. If the request could be rejected for a missing second factor or confirmation, reloads the
   * session first, because another replica may have just recorded it.
   *
   * @param confirms true if the request could be rejected for a missing confirmation.
   */
  private async ofSession(token: string, confirms: boolean): Promise<Principal | undefined> {
    const hash = hashCredential(token).toString('hex');
    const principal = await available(() => this.sessions.get(hash));
    const user = principal?.user ?? null;
    if (user === null || (!user.owesSecondFactor && (!confirms || isConfirmed(user)))) return principal;
    return available(() => this.sessions.getFresh(hash));
  }

  /** Reloads credentials. Resolves when earlier changes are in effect on this replica. */
  async refresh(): Promise<void> {
    await Promise.all([this.keys.refresh(), this.sessions.refresh()]);
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
    this.keys.close();
    this.sessions.close();
  }

  private async ofKey(authorization: string): Promise<Principal> {
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (key === undefined) throw unauthorized('Send the header "Authorization: Bearer <API key>".');
    const principal = await available(() => this.keys.get(hashCredential(key).toString('hex')));
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
    if (key.startsWith('agt_')) throw unauthorized("This is a project's access token; reading takes an API key.");
    throw unauthorized(
      isDamaged(key, 'agk_')
        ? 'That API key looks incomplete or mistyped. Copy it again.'
        : 'The API key is not known, or was revoked.',
    );
  }
}

async function available(look: () => Promise<Principal | undefined>): Promise<Principal | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof LookupUnavailableError)) throw error;
    throw unavailable('Sign-in is temporarily unavailable. Try again in a moment.', error, 2);
  }
}
