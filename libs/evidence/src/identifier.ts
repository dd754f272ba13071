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

/** Injection token of {@link EvidenceSources}. */
export const EVIDENCE_SOURCES = Symbol('evidence sources');
/** Injection token: whether the keys that the RFCs publish are admitted. */
export const ALLOW_TEST_KEYS = Symbol('allow test keys');

/** A request whose sender is to be identified. */
export interface IdentificationRequest {
  /** As they were posted. */
  headers: Record<string, unknown>;
  method: string | null;
  path: string | null;
  /** Address of the connection, as the site's own server saw it; null or absent when that is not known. */
  peer?: string | null | undefined;
  /** When it arrived at the site, in milliseconds since the epoch; now unless given. */
  at?: number;
  /** When we were told of it; `at` unless given. */
  receivedAt?: number;
  site: SiteSettings;
  /** What was found out before, of a request that is identified again; the address is believed as it was then. */
  earlier?: { clientAddress: ClientAddress; evidence: EarlierEvidence };
}

export interface Identified {
  /** The address that was believed; `null` when none can be. */
  clientAddress: string | null;
  identification: Identification;
}

/** Joins the engine with the catalog in use and with what is looked up outside. */
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

  /** Identifies a request where nothing has to be looked up; else returns `null`, and the look-up goes on. */
  identifyImmediately(request: IdentificationRequest): Identified | null {
    const identified = this.identify(request, this.sources);
    return identified instanceof Promise ? null : identified;
  }

  /**
   * Identifies requests within a time, in their order. What is still being looked up then is taken from the caches, as not
   * verifiable; the next request finds it.
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
