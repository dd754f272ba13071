import { Inject, Injectable } from '@nestjs/common';
import { KeyValue, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL, accessKey } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { AccessService } from './access.service.js';

/** Announces access changes, so all replicas apply them immediately instead of within seconds. */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly pubSub: PubSub,
    private readonly keyValue: KeyValue,
    private readonly access: AccessService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Applies a committed access change. Resolves when it's in effect on this replica. */
  async apply(): Promise<void> {
    await this.access.refresh();
    this.announce();
  }

  /**
   * Announces a committed access change.
   *
   * @param revoked SHA-256 of a revoked access token, hex.
   */
  announce(revoked?: string): void {
    const forgotten = revoked === undefined ? Promise.resolve() : this.keyValue.delete(accessKey(revoked));
    forgotten
      .catch(() => undefined)
      .then(() => this.pubSub.publish(ACCESS_CHANNEL, ''))
      .catch((error: unknown) =>
        this.logger.warn(
          { err: error },
          'a change of access could not be announced; replicas learn of it within seconds',
        ),
      );
  }
}
