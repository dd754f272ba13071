import { Controller } from '@nestjs/common';
import { RateLimiter } from '#libs/cache';
import { AddressListsApi } from '#libs/catalog';
import { refreshAddressLists } from '#libs/contracts';
import { Handle, recordAuditEntry, tooManyRequests } from '#libs/platform';

const MIN_INTERVAL_SECONDS = 60;

@Controller()
export class AddressListsController {
  constructor(
    private readonly addressLists: AddressListsApi,
    private readonly limiter: RateLimiter,
  ) {}

  @Handle(refreshAddressLists)
  async refresh(): Promise<void> {
    const retryAfterSeconds = await this.limiter.takeFromWindow('address-lists', 'instance', 1, MIN_INTERVAL_SECONDS);
    if (retryAfterSeconds > 0) {
      const detail = `The address lists were just updated. Try again in ${retryAfterSeconds} s.`;
      throw tooManyRequests(detail, retryAfterSeconds);
    }
    await this.addressLists.refreshAll({});
    await recordAuditEntry();
  }
}
