import { Inject, Injectable } from '@nestjs/common';
import {
  cachedOnly,
  resolveClientAddress,
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
/** Injection token for a boolean: true to accept the test keys published in the RFCs. */
export const ALLOW_TEST_KEYS = Symbol('allow test keys');

export interface IdentificationRequest {
  /** Request headers, not yet normalized. */
  headers: Record<string, unknown>;
  method: string | null;
  path: string | null;
  /** Peer address of the connection to the site's server, or null or undefined if it is unknown. */
  peer?: string | null | undefined;
  /** Time the request reached the site, in milliseconds since the epoch. Default: now. */
  at?: number;
  /** Time the visit was reported to this instance, in milliseconds since the epoch. Default: `at`. */
  receivedAt?: number;
  site: SiteSettings;
  /** Previous findings for a request that is identified again. The previous client address is reused. */
  earlier?: { clientAddress: ClientAddress; evidence: EarlierEvidence };
}

export interface IdentifiedRequest {
  /** Trusted client address, or null if there is none. */
  clientAddress: string | null;
  identification: Identification;
}

/** Identifies the senders of requests, based on the current catalog and external evidence. */
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
   * Identifies a request if no lookup is needed. Otherwise, returns null and continues the lookup in the background.
   */
  identifyImmediately(request: IdentificationRequest): IdentifiedRequest | null {
    const identified = this.identify(request, this.sources);
    return identified instanceof Promise ? null : identified;
  }

  /**
   * Identifies requests within a timeout and returns the results in order. If a lookup exceeds the timeout, only cached
   * evidence is used, and the sender counts as not verifiable. The lookup continues in the background, so later
   * requests can use its result.
   */
  async identifyAll(requests: readonly IdentificationRequest[], timeoutMs: number): Promise<IdentifiedRequest[]> {
    const identified = requests.map((request) => this.identify(request, this.sources));
    const isLate = (item: Awaitable<IdentifiedRequest>): item is Promise<IdentifiedRequest> => item instanceof Promise;
    if (!identified.some(isLate)) return identified as IdentifiedRequest[];
    const pendingResults = identified.flatMap((item, index) =>
      isLate(item) ? [item.then((resolved) => void (identified[index] = resolved))] : [],
    );
    await isFulfilledWithin(Promise.all(pendingResults), Math.max(1, timeoutMs));
    return identified.map((item, index) =>
      isLate(item) ? (this.identify(requests[index]!, this.cachedSources) as IdentifiedRequest) : item,
    );
  }

  private identify(
    { headers: rawHeaders, method, path, peer, at, receivedAt, site, earlier }: IdentificationRequest,
    sources: EvidenceSources,
  ): Awaitable<IdentifiedRequest> {
    const catalog = this.catalog.current;
    const now = this.now();
    const headers: HeaderMap = normalizeHeaders(rawHeaders);
    const address =
      earlier?.clientAddress ?? resolveClientAddress(headers, site.trustedProxies, catalog.proxyNetworks, peer ?? null);
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
    return identification.then((resolved) => ({ clientAddress: address.address, identification: resolved }));
  }
}
