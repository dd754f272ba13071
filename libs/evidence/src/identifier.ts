import { Inject, Injectable } from '@nestjs/common';
import {
  atHand,
  clientAddress,
  identify,
  normalizeHeaders,
  type Awaitable,
  type EvidenceSources,
  type HeaderMap,
  type Identification,
} from '#libs/agents';
import { CurrentCatalog, type SiteSettings } from '#libs/catalog';
import { CLOCK, type Clock } from '#libs/platform';
import pTimeout from 'p-timeout';

/** Injection token of {@link EvidenceSources}. */
export const EVIDENCE_SOURCES = Symbol('evidence sources');
/** Injection token: whether the keys that the RFCs publish are admitted. */
export const ALLOW_TEST_KEYS = Symbol('allow test keys');

/** A request whose sender is to be identified. */
export interface Question {
  /** As they were posted. */
  headers: Record<string, unknown>;
  method: string | null;
  path: string | null;
  /** Address of the connection, as the site's own server saw it; null or absent when that is not known. */
  peer?: string | null | undefined;
  /** When it arrived at the site, in milliseconds since the epoch; now unless given. */
  at?: number;
  /** When we were told of it; at once unless given. */
  receivedAt?: number;
  site: SiteSettings;
}

export interface Identified {
  /** The address that was believed; `null` when none can be. */
  clientAddress: string | null;
  identification: Identification;
}

/** Joins the engine with the catalog in use and with what is looked up outside. */
@Injectable()
export class Identifier {
  private readonly sourcesAtHand: EvidenceSources;

  constructor(
    private readonly catalog: CurrentCatalog,
    @Inject(EVIDENCE_SOURCES) private readonly sources: EvidenceSources,
    @Inject(ALLOW_TEST_KEYS) private readonly allowTestKeys: boolean,
    @Inject(CLOCK) private readonly now: Clock,
  ) {
    this.sourcesAtHand = atHand(sources);
  }

  /** Answers at once where nothing has to be looked up; else `null`, and what is missing is being looked up. */
  answerAtOnce(question: Question): Identified | null {
    const answer = this.ask(question, this.sources);
    return answer instanceof Promise ? null : answer;
  }

  /**
   * Answers all within a time, in their order. What is still being looked up then is answered from what is at hand, as
   * not verifiable; the next request finds it.
   *
   * @param patience milliseconds.
   */
  async answer(questions: readonly Question[], patience: number): Promise<Identified[]> {
    const answers = questions.map((question) => this.ask(question, this.sources));
    const late = answers.map((answer, index) => ({ answer, index })).filter(({ answer }) => answer instanceof Promise);
    if (late.length > 0) {
      const all = late.map(async ({ answer, index }) => {
        answers[index] = await answer;
      });
      await pTimeout(Promise.all(all), { milliseconds: Math.max(1, patience), message: false });
    }
    return answers.map((answer, index) =>
      answer instanceof Promise ? (this.ask(questions[index]!, this.sourcesAtHand) as Identified) : answer,
    );
  }

  private ask(
    { headers: raw, method, path, peer, at, receivedAt, site }: Question,
    sources: EvidenceSources,
  ): Awaitable<Identified> {
    const catalog = this.catalog.current;
    const now = this.now();
    const headers: HeaderMap = normalizeHeaders(raw);
    const address = clientAddress(headers, site.trustedProxies, catalog.proxyRanges, peer ?? null);
    const { hostNames } = site;
    const context = { catalog, clientAddress: address, sources, hostNames, allowTestKeys: this.allowTestKeys, now };
    const identification = identify(
      { headers, method, path, at: at ?? now, receivedAt: receivedAt ?? at ?? now },
      context,
    );
    if (!(identification instanceof Promise)) return { clientAddress: address.address, identification };
    return identification.then((known) => ({ clientAddress: address.address, identification: known }));
  }
}
