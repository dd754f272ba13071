import { Injectable } from '@nestjs/common';
import { AutomationJudge, normalizeHeaders, resolveClientAddress } from '#libs/agents';
import { CurrentCatalog, isDataCenterAddress, type IdentificationItem, type SiteSettings } from '#libs/catalog';

/** Finds traits of visitors that only some policies depend on. */
@Injectable()
export class VisitorTraits {
  private readonly judge = new AutomationJudge();

  constructor(private readonly catalog: CurrentCatalog) {}

  /** Returns the visitor's address, or null if it is unknown. */
  getAddress({ headers }: IdentificationItem, { trustedProxies }: SiteSettings): string | null {
    const { proxyNetworks } = this.catalog.current;
    return resolveClientAddress(normalizeHeaders(headers), trustedProxies, proxyNetworks).address;
  }

  /** Returns true if an unknown visitor is likely automated, by the same signs as for recorded visits. */
  isLikelyAutomated(item: IdentificationItem, path: string, site: SiteSettings): boolean {
    const isInDataCenter = isDataCenterAddress(this.catalog.current, this.getAddress(item, site));
    return this.judge.judge({ headers: item.headers, path, at: Date.now(), isInDataCenter }).verdict === 'likely';
  }
}
