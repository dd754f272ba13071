import { Inject, Injectable } from '@nestjs/common';
import { KeyValue, PubSub } from '#libs/cache';
import { ACCESS_CHANNEL, accessKey } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { AccessService } from './access.service.js';

/** Tells every replica at once what it would find out by itself within seconds. */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly pubSub: PubSub,
    private readonly keyValue: KeyValue,
    private readonly access: AccessService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** After a change of who reaches what is committed; resolves once it counts on this replica. */
  async apply(): Promise<void> {
    await this.access.refresh();
    this.announce();
  }

  /** After the change is committed. @param revoked SHA-256 of a token that is no longer good, hex. */
  announce(revoked?: string): void {
    const told = revoked === undefined ? Promise.resolve() : this.keyValue.delete(accessKey(revoked));
    told
      .catch(() => undefined)
      .then(() => this.pubSub.publish(ACCESS_CHANNEL, ''))
      .catch((error: unknown) => this.logger.warn({ err: error }, 'a change of access is not announced'));
  }
}
