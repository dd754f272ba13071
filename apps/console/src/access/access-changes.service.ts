import { Inject, Injectable } from '@nestjs/common';
import { KeyValueStore, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL, accessKey } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { AccessService } from './access.service.js';

/** Notifies all replicas of access changes, so the changes take effect immediately instead of within seconds. */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly pubSub: PubSub,
    private readonly keyValue: KeyValueStore,
    private readonly access: AccessService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Applies a committed access change. Resolves once it is in effect on this replica. */
  async apply(): Promise<void> {
    await this.access.refresh();
    this.announce();
  }

  /**
   * Notifies all replicas of a committed access change.
   *
   * @param revoked SHA-256 of a revoked access token, in hex.
   */
  announce(revoked?: string): void {
    const cacheCleared = revoked === undefined ? Promise.resolve() : this.keyValue.delete(accessKey(revoked));
    cacheCleared
      .catch(() => undefined)
      .then(() => this.pubSub.publish(ACCESS_CHANNEL, ''))
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, 'failed to announce an access change; replicas will apply it within seconds'),
      );
  }
}
