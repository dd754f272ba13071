import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { normalizeHeaders } from '#libs/agents';
import type { EnrichedVisit } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { TestAgentService } from './test-agent.service.js';
import { TimelineRepository } from '../visits/timeline.repository.js';
import { RefusedRequestsRepository } from './refused-requests.repository.js';
import { requestSite, SITE_POLICY, type SitePolicy, type SiteRequest } from './site-request.js';
import { NEW_STATE, type StoredTestVisit, type TestVisitState } from './test-visit.state.js';
import { TestVisitsRepository } from './test-visits.repository.js';

/** Milliseconds for the site to report, once it has answered. */
const PATIENCE = 15_000;
const LOOK_EVERY = 150;
/** Milliseconds between looks at what is not the project's own, and changes less. */
const LOOK_ASIDE_EVERY = 1_000;
/** Milliseconds for something better to come after a refused report, or after the visit of a redirect. */
const GRACE = 3_000;
/** What an integration has to pass on for the signature to be checked, and the agent to be known. */
const NEEDED_HEADERS = ['user-agent', 'signature-agent', 'signature-input', 'signature', 'host'];

/**
 * Requests a project's site as the test agent, and waits for the site to report that very request. How far it got is
 * kept in the database, so that any replica can tell.
 *
 * The request is recognised by a marker in the query of its URL, which every integration reports, access logs
 * included, and in the nonce of its signature, for sites that cut off queries.
 */
@Injectable()
export class TestVisitsService implements BeforeApplicationShutdown {
  private readonly closing = new AbortController();
  private readonly runs = new Set<Promise<void>>();

  constructor(
    private readonly testVisits: TestVisitsRepository,
    private readonly refused: RefusedRequestsRepository,
    private readonly timeline: TimelineRepository,
    private readonly testAgent: TestAgentService,
    @Inject(SITE_POLICY) private readonly policy: SitePolicy,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param site page to request; null when the project has none. @returns null while another one is under way. */
  async start(projectId: string, site: URL | null): Promise<StoredTestVisit | null> {
    if (site === null) return this.testVisits.start(projectId, { ...NEW_STATE, outcome: 'no_site_address' });
    const testVisit = await this.testVisits.start(projectId, { ...NEW_STATE, url: site.href });
    if (testVisit === null) return null;
    const run = this.run(testVisit, site)
      .catch(async (error: unknown) => {
        if (!this.closing.signal.aborted) this.logger.error({ err: error }, 'a test visit failed');
        await this.testVisits.save(testVisit.id, { ...testVisit.state, outcome: 'interrupted' });
      })
      // What can't be saved counts as interrupted after a minute.
      .catch(() => undefined)
      .finally(() => this.runs.delete(run));
    this.runs.add(run);
    return testVisit;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.runs);
  }

  private async run({ id, projectId, startedAt, state: first }: StoredTestVisit, site: URL): Promise<void> {
    const marker = randomBytes(12).toString('hex');
    const position = await this.timeline.lastPosition(projectId);
    const sentAt = performance.now();
    const request = await requestSite(site, marker, {
      policy: this.policy,
      sign: async (url, nonce) => (await this.testAgent.signedVisit(url, nonce)).headers,
      signal: this.closing.signal,
    });
    this.closing.signal.throwIfAborted();
    const { url, fault, detail, answer } = request;
    const answered: TestVisitState = { ...first, url, outcome: fault, detail, answer };
    await this.testVisits.save(id, answered);
    if (fault !== null) return;
    const report = await this.untilReported({ projectId, startedAt, position, marker, request, sentAt });
    await this.testVisits.save(id, { ...answered, ...report });
  }

  /** @returns what it adds to the state. */
  private async untilReported(test: Test): Promise<Partial<TestVisitState>> {
    const deadline = performance.now() + PATIENCE;
    let visit: EnrichedVisit | null = null;
    let refused: TestVisitState['refused'] = null;
    /** When to be content with what there is. */
    let enough = deadline;
    let asideAt = performance.now();
    for (;;) {
      const found = await this.testVisits.reported(test.projectId, test.position, test.marker);
      if (found !== null) {
        if (isOfMarker(found, test.request.marker)) return reportOf(found, test.sentAt);
        // Of the requests that led here by redirects, one is reported; the last one may follow.
        if (visit === null) enough = Math.min(enough, performance.now() + GRACE);
        visit = found;
      }
      if (performance.now() >= asideAt) {
        asideAt = performance.now() + LOOK_ASIDE_EVERY;
        const other = await this.testVisits.reportedElsewhere(test.projectId, test.startedAt, test.marker);
        if (other !== null) return { outcome: 'reported_elsewhere', otherProjectId: other };
        const { projectId, startedAt, request } = test;
        const known = refused;
        refused = await this.refused.reportSince(projectId, startedAt, request.addresses);
        if (known === null && refused !== null) enough = Math.min(enough, performance.now() + GRACE);
      }
      if (performance.now() >= enough) break;
      await sleep(LOOK_EVERY, undefined, { signal: this.closing.signal });
    }
    const { projectId, position, request, startedAt, sentAt } = test;
    visit ??= await this.testVisits.reportedWithoutMarker(projectId, position, new URL(request.url).pathname);
    if (visit !== null) return reportOf(visit, sentAt);
    if (refused !== null) return { outcome: 'report_refused', refused };
    return { outcome: 'not_reported', hasUnknownReports: await this.refused.hasUnknownSince(startedAt) };
  }
}

interface Test {
  projectId: string;
  startedAt: Date;
  /** Of the project's last visit before. */
  position: bigint;
  marker: string;
  request: SiteRequest;
  /** By the monotonic clock. */
  sentAt: number;
}

const isOfMarker = (visit: EnrichedVisit, marker: string): boolean =>
  visit.visit.request_path.includes(marker) || JSON.stringify(visit.visit.request_headers).includes(marker);

function reportOf({ id, visit, identification }: EnrichedVisit, sentAt: number): Partial<TestVisitState> {
  const headers = normalizeHeaders(visit.request_headers);
  const { result, reason } = identification;
  return {
    outcome: 'arrived',
    report: { visit_id: id, milliseconds: Math.round(performance.now() - sentAt), result, reason },
    lacking: NEEDED_HEADERS.filter((name) => headers[name] === undefined),
  };
}
