import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { checkAgents, FeedsApi, findPublicKeyFault } from '#libs/catalog';
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
import { GuardedFetchError, getSafeReason, type GuardedFetch } from '#libs/evidence';
import {
  CLOCK,
  errorMessage,
  LOGGER,
  PeriodicTask,
  ProblemError,
  type OperationInput,
  type Clock,
  type Logger,
} from '#libs/platform';
import { Counter } from 'prom-client';
import { CATALOG_SETTINGS, type CatalogSettings } from '../catalog-settings.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { LIST_FETCH } from '../lists/address-lists.service.js';
import { MAX_FEED_BYTES, readFeedDocument } from './feed-document.js';
import { FeedError, toPrintable } from './feed-error.js';
import { reviewFeed } from './feed-review.js';
import { FeedsRepository, type DueFeed, type Proposal, type FeedReadResult } from './feeds.repository.js';

const INITIAL_DELAY_MS = 5_000;
const POLL_INTERVAL_MS = 60_000;
const FETCH_TIMEOUT_MS = 30_000;
const RETRY_SECONDS = 3_600;
const HOUR_SECONDS = 3_600;

const readsCounter = new Counter({
  name: 'agent_traffic_agent_feed_reads_total',
  help: 'Agent feed reads, by outcome: changed, unchanged or the failure reason',
  labelNames: ['outcome'],
});

/** Reads agent feeds one at a time and adds accepted agents to the catalog. */
@Injectable()
export class FeedsService implements FeedsApi, OnModuleInit, OnApplicationShutdown {
  private readonly poller = new PeriodicTask(
    () => this.readDue(),
    POLL_INTERVAL_MS,
    (error) => this.logFailure(error),
  );
  private inFlight = Promise.resolve();
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
    this.poller.start(INITIAL_DELAY_MS);
  }

  /** Doesn't wait for the read in progress. Another process reads the feed once the claim expires. */
  onApplicationShutdown(): void {
    this.isClosed = true;
    void this.poller.stop();
  }

  async list(): Promise<AgentFeeds> {
    return { feeds: await this.feeds.list() };
  }

  async add({ body }: OperationInput<typeof addAgentFeed>): Promise<AgentFeed> {
    const { name, url = null, document = null, public_key: key = null, accepts_all: all = false } = body;
    if (url === null && document === null) throw invalidFeed('/url', 'is required, unless document is set');
    if (url !== null && document !== null) throw invalidFeed('/document', 'must be omitted if url is set');
    if (url !== null && !isFeedUrl(url)) throw invalidFeed('/url', 'must be an https URL without credentials');
    const fault = key === null ? null : findPublicKeyFault(key);
    if (fault !== null) throw invalidFeed('/public_key', fault);
    const feed = { name: name.trim(), url, document, public_key: key, accepts_all: all };
    const id = await this.feeds.add(feed, MAX_AGENT_FEEDS);
    if (id === null) {
      const detail = (await this.feeds.hasName(feed.name))
        ? `A feed named ${feed.name} already exists. Choose another name, or change that feed.`
        : `An instance can have up to ${MAX_AGENT_FEEDS} feeds. Remove one first.`;
      throw new ProblemError('conflict', detail);
    }
    this.scheduleRead();
    return this.find(id);
  }

  async change({ params: { feedId }, body }: OperationInput<typeof changeAgentFeed>): Promise<AgentFeed> {
    const before = await this.find(feedId);
    if (body.document !== undefined && before.url !== null) {
      throw invalidFeed('/document', 'must be omitted because this feed is fetched from its URL');
    }
    const outcome = await this.feeds.change(feedId, { ...body, name: body.name?.trim() });
    if (outcome === 'unknown') throw feedNotFound();
    if (outcome === 'same name') {
      throw new ProblemError('conflict', `A feed named ${body.name} already exists. Choose another name.`);
    }
    this.scheduleRead();
    return this.find(feedId);
  }

  async refresh({ params: { feedId } }: OperationInput<typeof refreshAgentFeed>): Promise<AgentFeed> {
    if (!(await this.feeds.requestRefresh(feedId))) throw feedNotFound();
    this.scheduleRead();
    return this.find(feedId);
  }

  async remove({ params: { feedId }, query }: OperationInput<typeof removeAgentFeed>): Promise<void> {
    if (!(await this.feeds.remove(feedId, query.agents === 'remove'))) throw feedNotFound();
    await this.catalog.reload();
  }

  async listAgents({ query }: OperationInput<typeof listFeedAgents>): Promise<FeedAgents> {
    const { feed_id: feedId, state, limit } = query;
    const [agents, total] = await Promise.all([
      this.feeds.listAgents(feedId, state, limit),
      this.feeds.countAgents(feedId, state),
    ]);
    return { agents, total };
  }

  async accept({ body }: OperationInput<typeof acceptFeedAgents>): Promise<FeedDecisionResult> {
    await this.find(body.feed_id);
    const result = await this.acceptProposals(body.feed_id, body);
    if (result === null) throw feedNotFound();
    return result;
  }

  async dismiss({ body }: OperationInput<typeof dismissFeedAgents>): Promise<FeedDecisionResult> {
    await this.find(body.feed_id);
    const proposals = await this.feeds.findProposals(body.feed_id, body.agent_ids ?? null);
    await this.feeds.dismiss(
      body.feed_id,
      proposals.map(({ agent_id: id }) => id),
      body,
    );
    return { decided: proposals.length, refused: [] };
  }

  /** Reads all due feeds, after any read already in flight. Resolves when done. */
  readDue(): Promise<void> {
    this.inFlight = this.inFlight.catch(() => undefined).then(() => this.readAllDue());
    return this.inFlight;
  }

  private scheduleRead(): void {
    this.readDue().catch((error: unknown) => this.logFailure(error));
  }

  private logFailure(error: unknown): void {
    if (!this.isClosed) this.logger.warn({ err: error }, 'failed to read agent feeds');
  }

  private async find(id: string): Promise<AgentFeed> {
    const [feed] = await this.feeds.list(id);
    if (feed === undefined) throw feedNotFound();
    return feed;
  }

  /**
   * Accepts proposals that are still valid: the catalog may have changed since they were made.
   *
   * @param decision Null accepts all of the feed's proposals.
   * @returns null if the feed was removed in the meantime.
   */
  private async acceptProposals(feedId: string, decision: FeedDecision | null): Promise<FeedDecisionResult | null> {
    await this.catalog.reload();
    const ids = decision?.agent_ids ?? null;
    const [all, acceptedIds] = await Promise.all([
      this.feeds.findProposals(feedId, ids),
      this.feeds.findAcceptedIds(feedId),
    ]);
    const { byId } = this.catalog.current;
    const isKnown = ({ agent_id: id }: Proposal): boolean => byId.has(id) && !acceptedIds.has(id);
    const known = all.filter(isKnown).map((proposal): RejectedProposal => {
      return { ...proposal, state: 'known', reason: `The catalog already has ${proposal.record.token}.` };
    });
    const proposals = all.filter((proposal) => !isKnown(proposal));
    const { records, faults } = await checkAgents(
      proposals.map(({ record }) => record),
      { others: this.catalog.source.agents },
    );
    const validTokens = new Set(records.map(({ token }) => token));
    const accepted = proposals.filter(({ record }) => validTokens.has(record.token));
    const firstFaults = new Map(faults.toReversed().map((fault) => [fault.pointer.split('/')[1], fault]));
    const invalidProposals = proposals.flatMap((proposal, index): RejectedProposal[] => {
      const fault = firstFaults.get(String(index));
      if (fault === undefined) return [];
      const reason = toPrintable(`${fault.pointer.replace(/^\/\d+/, '')} ${fault.detail}.`);
      return [{ ...proposal, state: 'refused', reason }];
    });
    const rejected = [...known, ...invalidProposals];
    if (!(await this.feeds.accept(feedId, accepted, rejected, decision))) return null;
    await this.catalog.reload();
    return {
      decided: accepted.length,
      refused: rejected.map(({ record, reason }) => ({ token: record.token, reason })),
    };
  }

  private async readAllDue(): Promise<void> {
    for (;;) {
      const due = this.isClosed ? null : await this.feeds.claimDue(this.settings.AGENT_FEEDS_REFRESH_HOURS > 0);
      if (due === null) return;
      await this.readOne(due);
    }
  }

  private async readOne(due: DueFeed): Promise<void> {
    const { AGENT_FEEDS_REFRESH_HOURS: hours } = this.settings;
    const nextReadSeconds = due.url === null || hours === 0 ? null : hours * HOUR_SECONDS;
    try {
      const read = await this.read(due);
      readsCounter.inc({ outcome: read === null ? 'unchanged' : 'changed' });
      if (read === null) await this.feeds.recordUnchanged(due, nextReadSeconds);
      else if (!(await this.feeds.storeRead(due, read, nextReadSeconds))) return;
      if (due.accepts_all) await this.acceptProposals(due.id, null);
    } catch (error) {
      const isKnown = error instanceof FeedError;
      const { fault, message } = isKnown ? error : toUnexpectedError(error);
      await this.feeds.recordFault(
        due,
        message,
        nextReadSeconds === null ? null : Math.min(nextReadSeconds, RETRY_SECONDS),
      );
      readsCounter.inc({ outcome: fault });
      const logFields = { feed: due.id, url: due.url, reason: message, ...(!isKnown && { err: error }) };
      this.logger[isKnown ? 'info' : 'error'](logFields, 'failed to read an agent feed');
    }
  }

  /** Returns null if the feed is unchanged. @throws {FeedError} if it can't be read. */
  private async read(due: DueFeed): Promise<FeedReadResult | null> {
    const fetched = due.url === null ? toDocument(due.document ?? '') : await this.fetchDocument(due, due.url);
    if (fetched === null) return null;
    const { format, signedAt, entries } = readFeedDocument(fetched.bytes, due.public_key);
    if (signedAt !== null && due.signed_at !== null && signedAt < due.signed_at.getTime()) {
      const reason = `The document was signed at ${new Date(signedAt).toISOString()}, before the last version read (signed at ${due.signed_at.toISOString()}).`;
      throw new FeedError('rolled_back', reason);
    }
    await this.catalog.reload();
    const accepted = await this.feeds.findAcceptedIds(due.id);
    const verdicts = await reviewFeed(entries, { catalog: this.catalog.current, accepted });
    const { etag, lastModified } = fetched;
    return { format, signedAt: signedAt === null ? null : new Date(signedAt), etag, lastModified, verdicts };
  }

  private async fetchDocument(due: DueFeed, url: string) {
    // If a person requested the refresh, fetch the feed even if it hasn't changed. This checks all its agents again,
    // because the catalog may have changed.
    const isConditional = due.requested_at === null;
    const headers = {
      accept: 'application/json, */*;q=0.1',
      ...(isConditional && due.etag !== null && { 'if-none-match': due.etag }),
      ...(isConditional && due.last_modified !== null && { 'if-modified-since': due.last_modified }),
    };
    const response = await this.fetch(url, { maxBytes: MAX_FEED_BYTES, timeoutMs: FETCH_TIMEOUT_MS, headers }).catch(
      (error: unknown) => {
        if (!(error instanceof GuardedFetchError)) throw error;
        // Don't report that a host has a private address. Otherwise, users could use feeds to find out which internal
        // hosts exist.
        const fault = error.fault === 'address_refused' ? 'unreachable' : error.fault;
        throw new FeedError(fault, toPrintable(`The feed could not be fetched: ${getSafeReason(error)}.`));
      },
    );
    if (response.status === 304 && isConditional) return null;
    if (response.status !== 200) throw new FeedError('bad_status', `The server returned status ${response.status}.`);
    const { etag = null, 'last-modified': lastModified = null } = response.headers;
    return { bytes: response.body, etag, lastModified };
  }
}

type RejectedProposal = Proposal & { state: 'known' | 'refused'; reason: string };

const toDocument = (document: string) => ({ bytes: Buffer.from(document), etag: null, lastModified: null });

const toUnexpectedError = (error: unknown): FeedError =>
  new FeedError('unexpected', toPrintable(`The feed could not be read: ${errorMessage(error)}.`));

const feedNotFound = (): ProblemError => new ProblemError('not-found', "This feed doesn't exist.");

const invalidFeed = (pointer: string, detail: string): ProblemError =>
  new ProblemError('invalid-body', `The feed is invalid: ${pointer} ${detail}.`, { errors: [{ pointer, detail }] });

/** Only checks the syntax of the URL. The fetch checks whether its host is allowed. */
function isFeedUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '';
}
