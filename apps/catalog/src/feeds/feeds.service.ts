import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { checkAgents, FeedsApi, publicKeyFault } from '#libs/catalog';
import {
  MAX_AGENT_FEEDS,
  type acceptFeedAgents,
  type addAgentFeed,
  type AgentFeed,
  type AgentFeeds,
  type changeAgentFeed,
  type dismissFeedAgents,
  type FeedAgents,
  type FeedDecision,
  type FeedDecisionResult,
  type listFeedAgents,
  type refreshAgentFeed,
  type removeAgentFeed,
} from '#libs/contracts';
import { GuardedFetchError, unreachedReason, type GuardedFetch } from '#libs/evidence';
import {
  CLOCK,
  errorMessage,
  LOGGER,
  PeriodicTask,
  ProblemError,
  type AskOf,
  type Clock,
  type Logger,
} from '#libs/platform';
import { Counter } from 'prom-client';
import { CATALOG_SETTINGS, type CatalogSettings } from '../catalog-settings.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { LIST_FETCH } from '../lists/address-lists.service.js';
import { MAX_FEED_BYTES, readFeedDocument } from './feed-document.js';
import { FeedError, printable } from './feed-error.js';
import { judge } from './feed-judgement.js';
import { FeedsRepository, type DueFeed, type Proposal, type ReadFeed } from './feeds.repository.js';

const FIRST_LOOK_DELAY_MS = 5_000;
const LOOK_INTERVAL_MS = 60_000;
const FETCH_TIMEOUT_MS = 30_000;
const RETRY_SECONDS = 3_600;
const HOUR_SECONDS = 3_600;

const reads = new Counter({
  name: 'agent_traffic_agent_feed_reads_total',
  help: 'Feeds of agents fetched; outcome: changed, unchanged, or the reason for a rejection',
  labelNames: ['outcome'],
});

/** Reads feeds of agents, one at a time, and adds accepted agents to the catalog. */
@Injectable()
export class FeedsService implements FeedsApi, OnModuleInit, OnApplicationShutdown {
  private readonly watch = new PeriodicTask(
    () => this.readDue(),
    LOOK_INTERVAL_MS,
    (error) => this.warn(error),
  );
  private underWay = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly feeds: FeedsRepository,
    private readonly catalog: CatalogService,
    @Inject(LIST_FETCH) private readonly fetch: GuardedFetch,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'AGENT_FEEDS_REFRESH_HOURS'>,
    @Inject(CLOCK) private readonly now: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.watch.start(FIRST_LOOK_DELAY_MS);
  }

  /** Doesn't wait for a read in flight. Another process reads that feed once the claim expires. */
  onApplicationShutdown(): void {
    this.isClosed = true;
    void this.watch.stop();
  }

  async list(): Promise<AgentFeeds> {
    return { feeds: await this.feeds.list() };
  }

  async add({ body }: AskOf<typeof addAgentFeed>): Promise<AgentFeed> {
    const { name, url = null, document = null, public_key: key = null, accepts_all: all = false } = body;
    if ((url === null) === (document === null)) throw invalid('/url', 'is required, unless document is given instead');
    if (url !== null && !isFeedAddress(url)) throw invalid('/url', 'must be an https address without a user name');
    const fault = key === null ? null : publicKeyFault(key);
    if (fault !== null) throw invalid('/public_key', fault);
    const feed = { name: name.trim(), url, document, public_key: key, accepts_all: all };
    const id = await this.feeds.add(feed, MAX_AGENT_FEEDS);
    if (id === null) {
      const detail = (await this.feeds.hasName(feed.name))
        ? `A feed named ${feed.name} already exists. Choose another name, or change that feed.`
        : `An instance can have ${MAX_AGENT_FEEDS} feeds. Remove one first.`;
      throw new ProblemError('conflict', detail);
    }
    this.readSoon();
    return this.find(id);
  }

  async change({ params: { feedId }, body }: AskOf<typeof changeAgentFeed>): Promise<AgentFeed> {
    const before = await this.find(feedId);
    if (body.document !== undefined && before.url !== null) {
      throw invalid('/document', 'must be left out: this feed is fetched from its address');
    }
    const outcome = await this.feeds.change(feedId, { ...body, name: body.name?.trim() });
    if (outcome === 'unknown') throw unknownFeed();
    if (outcome === 'same name') {
      throw new ProblemError('conflict', `A feed named ${body.name} already exists. Choose another name.`);
    }
    this.readSoon();
    return this.find(feedId);
  }

  async refresh({ params: { feedId } }: AskOf<typeof refreshAgentFeed>): Promise<AgentFeed> {
    if (!(await this.feeds.request(feedId))) throw unknownFeed();
    this.readSoon();
    return this.find(feedId);
  }

  async remove({ params: { feedId }, query }: AskOf<typeof removeAgentFeed>): Promise<void> {
    if (!(await this.feeds.remove(feedId, query.agents === 'remove'))) throw unknownFeed();
    await this.catalog.reload();
  }

  async listAgents({ query }: AskOf<typeof listFeedAgents>): Promise<FeedAgents> {
    const { feed_id: feedId, state, limit } = query;
    const [agents, total] = await Promise.all([
      this.feeds.listAgents(feedId, state, limit),
      this.feeds.countAgents(feedId, state),
    ]);
    return { agents, total };
  }

  async accept({ body }: AskOf<typeof acceptFeedAgents>): Promise<FeedDecisionResult> {
    await this.find(body.feed_id);
    const result = await this.acceptProposals(body.feed_id, body);
    if (result === null) throw unknownFeed();
    return result;
  }

  async dismiss({ body }: AskOf<typeof dismissFeedAgents>): Promise<FeedDecisionResult> {
    await this.find(body.feed_id);
    const proposals = await this.feeds.proposals(body.feed_id, body.agent_ids ?? null);
    await this.feeds.dismiss(
      body.feed_id,
      proposals.map(({ agent_id: id }) => id),
      body,
    );
    return { decided: proposals.length, refused: [] };
  }

  /** Reads all due feeds, after any reads in flight. Resolves when done. */
  readDue(): Promise<void> {
    this.underWay = this.underWay.catch(() => undefined).then(() => this.readAllDue());
    return this.underWay;
  }

  private readSoon(): void {
    this.readDue().catch((error: unknown) => this.warn(error));
  }

  private warn(error: unknown): void {
    if (!this.isClosed) this.logger.warn({ err: error }, 'feeds of agents are not read');
  }

  private async find(id: string): Promise<AgentFeed> {
    const [feed] = await this.feeds.list(id);
    if (feed === undefined) throw unknownFeed();
    return feed;
  }

  /**
   * Accepts proposals that are still valid. The catalog may have changed since they were made.
   *
   * @param asked Null: all proposals of a feed that accepts all agents.
   * @returns null if the feed was removed in the meantime.
   */
  private async acceptProposals(feedId: string, asked: FeedDecision | null): Promise<FeedDecisionResult | null> {
    await this.catalog.reload();
    const ids = asked?.agent_ids ?? null;
    const [all, own] = await Promise.all([this.feeds.proposals(feedId, ids), this.feeds.acceptedFrom(feedId)]);
    const { byId } = this.catalog.current;
    const isKnown = ({ agent_id: id }: Proposal): boolean => byId.has(id) && !own.has(id);
    const known = all.filter(isKnown).map((proposal): Refused => {
      return { ...proposal, state: 'known', reason: `The catalog has ${proposal.record.token} already.` };
    });
    const proposals = all.filter((proposal) => !isKnown(proposal));
    const { records, faults } = checkAgents(
      proposals.map(({ record }) => record),
      { others: this.catalog.source.agents },
    );
    const sound = new Set(records.map(({ token }) => token));
    const accepted = proposals.filter(({ record }) => sound.has(record.token));
    const faulty = proposals.flatMap((proposal, index): Refused[] => {
      const fault = faults.find(({ pointer }) => pointer.split('/')[1] === String(index));
      if (fault === undefined) return [];
      const reason = printable(`${fault.pointer.replace(/^\/\d+/, '')} ${fault.detail}.`);
      return [{ ...proposal, state: 'refused', reason }];
    });
    const refused = [...known, ...faulty];
    if (!(await this.feeds.accept(feedId, accepted, refused, asked))) return null;
    await this.catalog.reload();
    return {
      decided: accepted.length,
      refused: refused.map(({ record, reason }) => ({ token: record.token, reason })),
    };
  }

  private async readAllDue(): Promise<void> {
    for (;;) {
      const due = this.isClosed ? null : await this.feeds.takeDue(this.settings.AGENT_FEEDS_REFRESH_HOURS > 0);
      if (due === null) return;
      await this.readOne(due);
    }
  }

  private async readOne(due: DueFeed): Promise<void> {
    const { AGENT_FEEDS_REFRESH_HOURS: hours } = this.settings;
    const next = due.url === null || hours === 0 ? null : hours * HOUR_SECONDS;
    try {
      const read = await this.read(due);
      reads.inc({ outcome: read === null ? 'unchanged' : 'changed' });
      if (read === null) await this.feeds.keepUnchanged(due, next);
      else if (!(await this.feeds.keep(due, read, next))) return;
      if (due.accepts_all) await this.acceptProposals(due.id, null);
    } catch (error) {
      const isKnown = error instanceof FeedError;
      const { fault, message } = isKnown ? error : unexpected(error);
      await this.feeds.keepFault(due, message, next === null ? null : Math.min(next, RETRY_SECONDS));
      reads.inc({ outcome: fault });
      const facts = { feed: due.id, url: due.url, reason: message, ...(!isKnown && { err: error }) };
      this.logger[isKnown ? 'info' : 'error'](facts, 'a feed of agents was not taken');
    }
  }

  /** @returns null if the feed is unchanged. @throws {FeedError} */
  private async read(due: DueFeed): Promise<ReadFeed | null> {
    const fetched = due.url === null ? fromFile(due.document ?? '') : await this.fetched(due, due.url);
    if (fetched === null) return null;
    const { format, signedAt, entries } = readFeedDocument(fetched.bytes, due.public_key);
    if (signedAt !== null && due.signed_at !== null && signedAt < due.signed_at.getTime()) {
      const reason = `It was signed at ${new Date(signedAt).toISOString()}, before the version of ${due.signed_at.toISOString()}.`;
      throw new FeedError('rolled_back', reason);
    }
    await this.catalog.reload();
    const accepted = await this.feeds.acceptedFrom(due.id);
    const verdicts = await judge(entries, { catalog: this.catalog.current, accepted });
    const { etag, lastModified } = fetched;
    return { format, signedAt: signedAt === null ? null : new Date(signedAt), etag, lastModified, verdicts };
  }

  private async fetched(due: DueFeed, url: string) {
    // A requested refresh judges all agents again, because the catalog may have changed.
    const isConditional = due.requested_at === null;
    const headers = {
      accept: 'application/json, */*;q=0.1',
      ...(isConditional && due.etag !== null && { 'if-none-match': due.etag }),
      ...(isConditional && due.last_modified !== null && { 'if-modified-since': due.last_modified }),
    };
    const answer = await this.fetch(url, { maxBytes: MAX_FEED_BYTES, timeoutMs: FETCH_TIMEOUT_MS, headers }).catch(
      (error: unknown) => {
        if (!(error instanceof GuardedFetchError)) throw error;
        // Hides whether a host has a private address, which separate advice would reveal.
        const fault = error.fault === 'address_refused' ? 'unreachable' : error.fault;
        throw new FeedError(fault, printable(`The feed could not be fetched: ${unreachedReason(error)}.`));
      },
    );
    if (answer.status === 304 && isConditional) return null;
    if (answer.status !== 200) throw new FeedError('bad_status', `The server returned status ${answer.status}.`);
    const { etag = null, 'last-modified': lastModified = null } = answer.headers;
    return { bytes: answer.body, etag, lastModified };
  }
}

type Refused = Proposal & { state: 'known' | 'refused'; reason: string };

const fromFile = (document: string) => ({ bytes: Buffer.from(document), etag: null, lastModified: null });

const unexpected = (error: unknown): FeedError =>
  new FeedError('unexpected', printable(`The feed could not be read: ${errorMessage(error)}.`));

const unknownFeed = (): ProblemError => new ProblemError('not-found', 'There is no such feed.');

const invalid = (pointer: string, detail: string): ProblemError =>
  new ProblemError('invalid-body', `The feed is not valid: ${pointer} ${detail}.`, { errors: [{ pointer, detail }] });

/** Checks only the form of the URL. The fetch checks whether its host is allowed. */
function isFeedAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '';
}
