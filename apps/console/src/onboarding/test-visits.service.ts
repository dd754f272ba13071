import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { normalizeHeaders } from '#libs/agents';
import type { EnrichedVisit, VisitPosition } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { TestAgentVisitsRepository, TimelineRepository } from '#libs/visit-store';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { TestAgentService } from './test-agent.service.js';
import { RejectedRequestsRepository } from './rejected-requests.repository.js';
import { REPORT_TIMEOUT_MS, requestSite, type SiteRequest } from './site-request.js';
import { INITIAL_STATE, type StoredTestVisit, type TestVisitState } from './test-visit.state.js';
import { TestVisitsRepository } from './test-visits.repository.js';

const CLOCK_SKEW_MS = 60_000;
const POLL_INTERVAL_MS = 150;
/** Interval for checking rejected requests and other projects' visits, which are less likely. */
const SLOW_POLL_INTERVAL_MS = 1_000;
/** Time to wait for a better result after finding a rejected report, or only part of a redirect chain. */
const GRACE_PERIOD_MS = 3_000;
/** Headers required to identify the agent and verify its signature. */
const REQUIRED_HEADERS = ['user-agent', 'signature-agent', 'signature-input', 'signature', 'host'];

/**
 * Requests a project's site as the test agent, and waits for the site to report that request. The progress is stored in
 * the database, so any replica can show it.
 *
 * A marker in the URL's query identifies the request, because all integrations report the query, even access logs. The
 * signature's nonce also contains the marker, for sites that remove it from the query.
 */
@Injectable()
export class TestVisitsService implements BeforeApplicationShutdown {
  private readonly closing = new AbortController();
  private readonly activeRuns = new Set<Promise<void>>();

  constructor(
    private readonly testVisits: TestVisitsRepository,
    private readonly rejectedRequests: RejectedRequestsRepository,
    private readonly timeline: TimelineRepository,
    private readonly visits: TestAgentVisitsRepository,
    private readonly testAgent: TestAgentService,
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'testVisits'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Starts a test visit in the background.
   *
   * @param site Page to request, or null if the project has no site address.
   * @returns Null if another test visit is in progress.
   */
  async start(projectId: string, site: URL | null): Promise<StoredTestVisit | null> {
    if (site === null) return this.testVisits.start(projectId, { ...INITIAL_STATE, outcome: 'no_site_address' });
    const testVisit = await this.testVisits.start(projectId, { ...INITIAL_STATE, url: site.href });
    if (testVisit === null) return null;
    const run = this.run(testVisit, site)
      .catch(async (error: unknown) => {
        if (!this.closing.signal.aborted) this.logger.error({ err: error }, 'test visit failed');
        await this.testVisits.save(testVisit.id, { ...testVisit.state, outcome: 'interrupted' });
      })
      // If saving fails, too, the test visit counts as interrupted after a minute.
      .catch(() => undefined)
      .finally(() => this.activeRuns.delete(run));
    this.activeRuns.add(run);
    return testVisit;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.activeRuns);
  }

  private async run({ id, projectId, startedAt, state: first }: StoredTestVisit, site: URL): Promise<void> {
    const marker = randomBytes(12).toString('hex');
    const position = await this.timeline.lastPosition(projectId);
    const sentAt = performance.now();
    const request = await requestSite(site, marker, {
      policy: this.settings.testVisits,
      sign: async (url, nonce) => (await this.testAgent.signVisit(url, nonce)).headers,
      signal: this.closing.signal,
    });
    this.closing.signal.throwIfAborted();
    const { url, fault, detail, answer } = request;
    const respondedState: TestVisitState = { ...first, url, outcome: fault, detail, answer };
    await this.testVisits.save(id, respondedState);
    if (fault !== null) return;
    const report = await this.waitForReport({ projectId, startedAt, position, marker, request, sentAt });
    await this.testVisits.save(id, { ...respondedState, ...report });
  }

  /** Returns the state's changed fields. */
  private async waitForReport(test: TestRun): Promise<Partial<TestVisitState>> {
    const deadline = performance.now() + REPORT_TIMEOUT_MS;
    let visit: EnrichedVisit | null = null;
    let refused: TestVisitState['refused'] = null;
    let stopAt = deadline;
    let slowPollAt = performance.now();
    for (;;) {
      const markedVisits = await this.visits.findByMarker(test.projectId, test.position, test.marker);
      const last = markedVisits.find((one) => containsMarker(one, test.request.marker));
      if (last !== undefined) return toReportState(last, test.sentAt);
      // Only part of a redirect chain was reported. The last visit can still follow, because visits arrive in any order.
      if (visit === null && markedVisits.length > 0) stopAt = Math.min(stopAt, performance.now() + GRACE_PERIOD_MS);
      visit = markedVisits[0] ?? null;
      if (performance.now() >= slowPollAt) {
        slowPollAt = performance.now() + SLOW_POLL_INTERVAL_MS;
        const { projectId, startedAt, marker, request } = test;
        const other = await this.visits.findInOtherProject(projectId, startedAt.getTime() - CLOCK_SKEW_MS, marker);
        if (other !== null) return { outcome: 'reported_elsewhere', otherProjectId: other.project_id };
        const previousRejection = refused;
        refused = await this.rejectedRequests.findNewestReportSince(projectId, startedAt, request.addresses);
        if (previousRejection === null && refused !== null)
          stopAt = Math.min(stopAt, performance.now() + GRACE_PERIOD_MS);
      }
      if (performance.now() >= stopAt) break;
      await sleep(POLL_INTERVAL_MS, undefined, { signal: this.closing.signal });
    }
    const { projectId, position, request, startedAt, sentAt } = test;
    // Some sites report neither the query nor the signature, so match by path.
    visit ??= await this.visits.findByPage(projectId, position, new URL(request.url).pathname);
    if (visit !== null) return toReportState(visit, sentAt);
    if (refused !== null) return { outcome: 'report_refused', refused };
    return { outcome: 'not_reported', hasUnknownReports: await this.rejectedRequests.hasUnknownTokenSince(startedAt) };
  }
}

interface TestRun {
  projectId: string;
  startedAt: Date;
  /** Position of the project's last visit before the test. */
  position: VisitPosition;
  marker: string;
  request: SiteRequest;
  /** Monotonic time in milliseconds, from `performance.now()`. */
  sentAt: number;
}

const containsMarker = (visit: EnrichedVisit, marker: string): boolean =>
  visit.visit.request_path.includes(marker) || JSON.stringify(visit.visit.request_headers).includes(marker);

function toReportState(
  { id, visit, client_address: address, identification }: EnrichedVisit,
  sentAt: number,
): Partial<TestVisitState> {
  const headers = normalizeHeaders(visit.request_headers);
  const { result, reason } = identification;
  return {
    outcome: 'arrived',
    report: { visit_id: id, milliseconds: Math.round(performance.now() - sentAt), result, reason },
    lacking: REQUIRED_HEADERS.filter((name) => headers[name] === undefined),
    lacksAddress: address === null && visit.client_address == null,
  };
}
