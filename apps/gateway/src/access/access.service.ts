import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache, LookupUnavailableError, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL } from '#libs/contracts';
import { hashCredential, isMalformedCredential } from '#libs/database';
import { unauthorized, unavailable } from '#libs/platform';
import { RecentMemo } from '../recent-memo.js';
import { AccessRepository, type ProjectAccess } from './access.repository.js';
import { RejectedTokenError, TokenLimits } from './token-limits.js';
import { SharedAccess } from './shared-access.service.js';

export const SETTINGS_HINT = "the project's access token is on its settings page, or: agent-traffic tokens list";

/** Number of token hashes to cache. Hashing is the slowest step of authorization. */
const MAX_CACHED_HASHES = 1_000;

/**
 * Authorizes requests by access token. Results are cached for up to an hour to survive database outages. The cache is
 * refreshed every few seconds and whenever the console announces a change, so revoked tokens stop working within 5 s.
 */
@Injectable()
export class AccessService implements OnApplicationShutdown {
  private readonly tokens: LookupCache<ProjectAccess>;
  private readonly hashes = new RecentMemo<string>(MAX_CACHED_HASHES);
  private readonly limits = new TokenLimits();
  private readonly unsubscribe: () => void;

  constructor(
    repository: AccessRepository,
    private readonly shared: SharedAccess,
    pubSub: PubSub,
  ) {
    this.tokens = new LookupCache({
      load: async (hashes) => {
        const found = await repository.find(hashes);
        this.shared.keep(found);
        return found;
      },
    });
    this.unsubscribe = pubSub.subscribe(ACCESS_CHANNEL, () => void this.tokens.refresh());
  }

  /**
   * @param client Provides the client address, which is only read if the token is restricted to certain networks.
   * @throws {ProblemError} 401 if the token is invalid, or 503 if it can't be checked.
   */
  async authorize(token: string, client: { readonly clientAddress: string }): Promise<ProjectAccess> {
    const cachedHash = this.hashes.get(token);
    const hash = cachedHash ?? hashCredential(token).toString('hex');
    const access = this.tokens.getCached(hash) ?? (await this.find(hash));
    if (access === undefined) {
      if (token.startsWith('agk_')) throw unauthorized(`This is a personal API key; here ${SETTINGS_HINT}.`);
      throw unauthorized(
        isMalformedCredential(token, 'agt_')
          ? `That access token looks incomplete or mistyped. Copy it again; ${SETTINGS_HINT}.`
          : `The access token is not known; ${SETTINGS_HINT}.`,
      );
    }
    if (access.revoked) {
      throw new RejectedTokenError(access, 'The access token was revoked. Use another token of the project.');
    }
    if (cachedHash === undefined) this.hashes.set(token, hash);
    this.limits.check(access, client);
    return access;
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
    this.tokens.close();
  }

  private async find(hash: string): Promise<ProjectAccess | undefined> {
    try {
      return await this.tokens.get(hash);
    } catch (error) {
      if (!(error instanceof LookupUnavailableError)) throw error;
      const access = await this.shared.find(hash);
      if (access !== undefined) return access;
      throw unavailable('Access tokens cannot be checked right now. Try again in a moment.', error, 2);
    }
  }
}
