import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache, LookupUnavailableError, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL } from '#libs/contracts';
import { hashCredential, isDamaged } from '#libs/database';
import { unauthorized, unavailable } from '#libs/platform';
import { RecentMemo } from '../recent-memo.js';
import { AccessRepository, type ProjectAccess } from './access.repository.js';
import { RefusedTokenError, TokenLimits } from './token-limits.js';
import { SharedAccess } from './shared-access.service.js';

export const SETTINGS_HINT = "the project's access token is on its settings page, or: agent-traffic tokens list";

/** Tokens of which the hash is remembered, in this process's memory alone: hashing takes longer than anything else that is asked of a token. */
const REMEMBERED_TOKENS = 1_000;

/**
 * Decides who may post. Answers come from memory, and are refreshed every few seconds and when the console says that
 * something changed, so that a revoked token stops working within 5 s, and those known keep working for an hour while the database is away.
 */
@Injectable()
export class AccessService implements OnApplicationShutdown {
  private readonly tokens: LookupCache<ProjectAccess>;
  /** By tokens that are known. */
  private readonly hashes = new RecentMemo<string>(REMEMBERED_TOKENS);
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
   * @param client who shows it; the address is worked out where it matters.
   * @throws ProblemError 401 when the token opens nothing, 503 when nobody can say.
   */
  async authorize(token: string, client: { readonly clientAddress: string }): Promise<ProjectAccess> {
    const remembered = this.hashes.get(token);
    const hash = remembered ?? hashCredential(token).toString('hex');
    const access = this.tokens.getCached(hash) ?? (await this.find(hash));
    if (access === undefined) {
      if (token.startsWith('agk_')) throw unauthorized(`This is a personal API key; here ${SETTINGS_HINT}.`);
      throw unauthorized(
        isDamaged(token, 'agt_')
          ? `That access token looks incomplete or mistyped. Copy it again; ${SETTINGS_HINT}.`
          : `The access token is not known; ${SETTINGS_HINT}.`,
      );
    }
    if (access.revoked) {
      throw new RefusedTokenError(access, 'The access token was revoked. Use another token of the project.');
    }
    if (remembered === undefined) this.hashes.set(token, hash);
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
