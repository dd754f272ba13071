import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache, LookupUnavailableError, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL } from '#libs/contracts';
import { hashCredential, isDamaged } from '#libs/database';
import { unauthorized, unavailable } from '#libs/platform';
import { ApiKeysRepository } from './api-keys.repository.js';
import type { Principal } from './principal.js';

/** Decides who may read and administer; a revoked key stops working within 5 s. */
@Injectable()
export class AccessService implements OnApplicationShutdown {
  private readonly keys: LookupCache<Principal>;
  private readonly unsubscribe: () => void;

  constructor(@Inject(ApiKeysRepository) repository: ApiKeysRepository, @Inject(PubSub) pubSub: PubSub) {
    this.keys = new LookupCache({ load: (hashes) => repository.find(hashes) });
    this.unsubscribe = pubSub.subscribe(ACCESS_CHANNEL, () => void this.keys.refresh());
  }

  /** @throws ProblemError 401 when the key opens nothing, 503 when nobody can say. */
  async authorize(authorization: string | undefined): Promise<Principal> {
    const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (key === undefined) throw unauthorized('Send the header "Authorization: Bearer <API key>".');
    const principal = await this.find(key);
    if (principal !== undefined) return principal;
    if (key.startsWith('agt_')) throw unauthorized("This is a project's access token; reading takes an API key.");
    throw unauthorized(
      isDamaged(key, 'agk_')
        ? 'The API key is damaged: its checksum does not fit. Copy it again.'
        : 'The API key is not known, or was revoked.',
    );
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
    this.keys.close();
  }

  private async find(key: string): Promise<Principal | undefined> {
    try {
      return await this.keys.get(hashCredential(key).toString('hex'));
    } catch (error) {
      if (!(error instanceof LookupUnavailableError)) throw error;
      throw unavailable('The API key can not be checked right now; try again.', error, 2);
    }
  }
}
