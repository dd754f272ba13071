import { Inject, Injectable } from '@nestjs/common';
import { KeyValue, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL, accessKey } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { AccessService } from './access.service.js';

/** Tells every replica immediately what it would otherwise learn within seconds. */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly pubSub: PubSub,
    private readonly keyValue: KeyValue,
    private readonly access: AccessService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Call after a change of access is committed. Resolves once it is in effect on this replica. */
  async apply(): Promise<void> {
    await this.access.refresh();
    this.announce();
  }

  /** Call after a change is committed. @param revoked SHA-256 of a token that was revoked, hex. */
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
