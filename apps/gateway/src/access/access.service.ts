import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache, LookupUnavailableError, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL } from '#libs/contracts';
import { hashCredential, isDamaged } from '#libs/database';
import { unauthorized, unavailable } from '#libs/platform';
import { AccessRepository, type ProjectAccess } from './access.repository.js';
import { RefusedTokenError, TokenLimits } from './token-limits.js';
import { SharedAccess } from './shared-access.service.js';

export const SETTINGS_HINT = "the project's access token is on its settings page, or: agent-traffic tokens list";

/**
 * Decides who may post. Answers come from memory, and are refreshed every few seconds and when the console says that
 * something changed, so that a revoked token stops working within 5 s, and those known keep working for an hour while the database is away.
 */
@Injectable()
export class AccessService implements OnApplicationShutdown {
  private readonly tokens: LookupCache<ProjectAccess>;
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
   * @param address of the client that shows it.
   * @throws ProblemError 401 when the token opens nothing, 503 when nobody can say.
   */
  async authorize(token: string, address: string): Promise<ProjectAccess> {
    const access = await this.find(hashCredential(token).toString('hex'));
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
    this.limits.check(access, address);
    return access;
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
    this.tokens.close();
  }

  private async find(hash: string): Promise<ProjectAccess | undefined> {
    try {
      return this.tokens.getCached(hash) ?? (await this.tokens.get(hash));
    } catch (error) {
      if (!(error instanceof LookupUnavailableError)) throw error;
      const access = await this.shared.find(hash);
      if (access !== undefined) return access;
      throw unavailable('Access tokens cannot be checked right now. Try again in a moment.', error, 2);
    }
  }
}
