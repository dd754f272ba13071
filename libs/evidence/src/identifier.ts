import { Inject, Injectable } from '@nestjs/common';
import {
  cachedOnly,
  clientAddress,
  identify,
  normalizeHeaders,
  type Awaitable,
  type ClientAddress,
  type EarlierEvidence,
  type EvidenceSources,
  type HeaderMap,
  type Identification,
} from '#libs/agents';
import { CurrentCatalog, type SiteSettings } from '#libs/catalog';
import { CLOCK, isFulfilledWithin, type Clock } from '#libs/platform';

export const EVIDENCE_SOURCES = Symbol('evidence sources');
/** Injection token: whether to accept the test keys published in the RFCs. */
export const ALLOW_TEST_KEYS = Symbol('allow test keys');

export interface IdentificationRequest {
  /** Not normalized. */
  headers: Record<string, unknown>;
  method: string | null;
  path: string | null;
  /** Address of the connection to the site's server; null or undefined if unknown. */
  peer?: string | null | undefined;
  /** Time of arrival at the site, in milliseconds since the epoch. Default: now. */
  at?: number;
  /** Time at which the visit was reported to us. Default: `at`. */
  receivedAt?: number;
  site: SiteSettings;
  /** Earlier findings about a request that is identified again. Its client address is reused. */
  earlier?: { clientAddress: ClientAddress; evidence: EarlierEvidence };
}

export interface Identified {
  /** Trusted client address; `null` if there is none. */
  clientAddress: string | null;
  identification: Identification;
}

/** Identifies requests with the current catalog and external evidence. */
@Injectable()
export class Identifier {
  private readonly cachedSources: EvidenceSources;

  constructor(
    private readonly catalog: CurrentCatalog,
    @Inject(EVIDENCE_SOURCES) private readonly sources: EvidenceSources,
    @Inject(ALLOW_TEST_KEYS) private readonly allowTestKeys: boolean,
    @Inject(CLOCK) private readonly now: Clock,
  ) {
    this.cachedSources = cachedOnly(sources);
  }

  /**
   * Identifies a request that requires no lookup. Otherwise returns `null`, and the lookup continues in the background.
   */
  identifyImmediately(request: IdentificationRequest): Identified | null {
    const identified = this.identify(request, this.sources);
    return identified instanceof Promise ? null : identified;
  }

  /**
   * Identifies requests within a timeout and returns the results in order. If a lookup takes longer, only cached
   * evidence counts, and the sender is not verifiable. The lookup continues, so the next request finds its result.
   */
  async identifyAll(requests: readonly IdentificationRequest[], timeoutMs: number): Promise<Identified[]> {
    const identified = requests.map((request) => this.identify(request, this.sources));
    const isLate = (each: Awaitable<Identified>): each is Promise<Identified> => each instanceof Promise;
    if (!identified.some(isLate)) return identified as Identified[];
    const all = identified.flatMap((each, index) =>
      isLate(each) ? [each.then((known) => void (identified[index] = known))] : [],
    );
    await isFulfilledWithin(Promise.all(all), Math.max(1, timeoutMs));
    return identified.map((each, index) =>
      isLate(each) ? (this.identify(requests[index]!, this.cachedSources) as Identified) : each,
    );
  }

  private identify(
    { headers: raw, method, path, peer, at, receivedAt, site, earlier }: IdentificationRequest,
    sources: EvidenceSources,
  ): Awaitable<Identified> {
    const catalog = this.catalog.current;
    const now = this.now();
    const headers: HeaderMap = normalizeHeaders(raw);
    const address =
      earlier?.clientAddress ?? clientAddress(headers, site.trustedProxies, catalog.proxyNetworks, peer ?? null);
    const { hostNames } = site;
    const { allowTestKeys } = this;
    const context = {
      catalog,
      clientAddress: address,
      sources,
      hostNames,
      allowTestKeys,
      now,
      earlier: earlier?.evidence,
    };
    const identification = identify(
      { headers, method, path, at: at ?? now, receivedAt: receivedAt ?? at ?? now },
      context,
    );
    if (!(identification instanceof Promise)) return { clientAddress: address.address, identification };
    return identification.then((known) => ({ clientAddress: address.address, identification: known }));
  }
}
