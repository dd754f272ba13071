import { InstanceError, post, type Answer } from './instance.js';
import { Guard, type BlockOptions } from './guard.js';
import { MAX_PATH_LENGTH } from './limits.js';
import { settingsOf, type AgentTrafficOptions, type Settings } from './options.js';
import { Redactor } from './redaction.js';
import { RefreshedCache } from './refreshed-cache.js';
import { claimReport } from './reported-requests.js';
import { plainRequest, type AnyRequest } from './requests.js';
import type { AgentSelection, Identification, RobotsTxtRequest, Visit, WaitUntil } from './types.js';
import { VisitReporter } from './visit-reporter.js';
import type { VisitCounts } from './visit-sender.js';

/** Agents come and go daily at most. */
const FRESH_MS = 3_600_000;
/** Header that states how long the caller waits for a response. */
const TIMEOUT_HEADER = 'agent-traffic-timeout-ms';

export interface AskOptions {
  /** Absent: that of the client. */
  timeoutMs?: number | undefined;
}

/**
 * Reports visits to an instance of Agent Traffic, and asks it about requests. Reporting never throws and never waits.
 *
 * This one is for runtimes in which requests share nothing, such as Cloudflare's workers: with `waitUntil`, a visit is sent
 * at once and alone. In Node.js, the package's entry has a subclass that ends with its process.
 */
export class AgentTraffic {
  protected readonly settings: Settings;
  protected readonly reporter: VisitReporter;
  private readonly isConfigured: boolean;
  private isFaultTold = false;
  private readonly redactor: Redactor;
  private readonly texts = new RefreshedCache<string>(FRESH_MS);
  private readonly lists = new RefreshedCache<string[]>(FRESH_MS);

  constructor(options: AgentTrafficOptions = {}) {
    const { isConfigured, ...settings } = settingsOf(options);
    this.settings = settings;
    this.isConfigured = isConfigured;
    this.redactor = new Redactor(settings.redactedHeaders);
    this.reporter = new VisitReporter(settings);
  }

  /** What became of visits so far, and how many wait. */
  get counts(): VisitCounts & { queued: number } {
    return this.reporter.counts;
  }

  /** Whether visits of a request are reported at all. */
  reports(path: string, method: string): boolean {
    if (!this.isReporting) return false;
    try {
      return !this.settings.ignore(path, method);
    } catch {
      return true;
    }
  }

  /**
   * Whether a request in progress is to be reported by this client, and not by another one for the same project that has
   * seen it before.
   *
   * @param request object of the framework.
   */
  claims(request: object): boolean {
    return claimReport(request, `${this.settings.url} ${this.settings.token}`);
  }

  /**
   * Reports a visit, without credentials. Returns at once, never throws.
   *
   * @param visit null is none; a promise where a body is still being read.
   */
  record(visit: Visit | Promise<Visit | null>, waitUntil?: WaitUntil): void {
    if (!this.isReporting) return;
    this.attempt(() => {
      const json = visit instanceof Promise ? visit.then((known) => known && this.json(known)) : this.json(visit);
      this.report(json, waitUntil);
    });
  }

  /** Does what adapters do for a report: it must not fail the site. */
  attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.settings.onProblem(`a visit was not reported: ${String(error)}`);
    }
  }

  /** Sends all visits that wait. Resolves when they are sent or lost. */
  flush(): Promise<void> {
    return this.reporter.flush();
  }

  /** Sends all visits that wait, within `shutdownTimeoutMs`. Visits that are recorded later are sent at once. */
  shutdown(): Promise<void> {
    return this.reporter.shutdown(this.settings.shutdownTimeoutMs);
  }

  /**
   * Says who sent a request, or each of up to 1,000.
   *
   * @throws InstanceError when the instance does not say it in time.
   */
  identify(request: AnyRequest, options?: AskOptions): Promise<Identification>;
  identify(requests: readonly AnyRequest[], options?: AskOptions): Promise<Identification[]>;
  async identify(
    requests: AnyRequest | readonly AnyRequest[],
    options?: AskOptions,
  ): Promise<Identification | Identification[]> {
    const body = Array.isArray(requests)
      ? requests.map((request: AnyRequest) => this.question(request))
      : this.question(requests as AnyRequest);
    return this.ask('/agent-identifications', JSON.stringify(body), options);
  }

  /** Says who sent a request, as `identify` does, and takes its path into account, which a signature may cover. */
  async verify(request: AnyRequest, options?: AskOptions): Promise<Identification> {
    const request_path = plainRequest(request).request_path.slice(0, MAX_PATH_LENGTH);
    return this.ask('/agent-verifications', JSON.stringify({ ...this.question(request), request_path }), options);
  }

  /**
   * Returns rules for a robots.txt. They are remembered for an hour; older ones are returned while new ones are fetched,
   * and for as long as the instance is away.
   *
   * @throws InstanceError when the instance is away and nothing is remembered.
   */
  robotsTxt(request: RobotsTxtRequest): Promise<string> {
    const body = JSON.stringify(request);
    return this.texts.get(body, async () => (await this.post('/robots-txts', body)).text);
  }

  /** Returns the user agent tokens of agents, remembered as those of `robotsTxt` are. */
  tokens(selection: AgentSelection): Promise<string[]> {
    const body = JSON.stringify(selection);
    return this.lists.get(body, () => this.ask<string[]>('/user-agent-token-lists', body));
  }

  /** Returns a guard that says which requests to refuse. */
  block(options: BlockOptions): Guard {
    return new Guard(this, options);
  }

  /** @param json null is none. */
  protected report(json: string | Promise<string | null>, waitUntil?: WaitUntil): void {
    if (waitUntil === undefined) this.queue(json);
    else waitUntil(this.reporter.sendAlone(json));
  }

  protected queue(json: string | Promise<string | null>): void {
    if (typeof json === 'string') this.reporter.add(json);
    else this.reporter.addLater(json);
  }

  /** Says with the first visit what is missing: builds load a site's modules, too, but have no visitors. */
  private get isReporting(): boolean {
    if (!this.isConfigured && !this.isFaultTold) {
      this.isFaultTold = true;
      this.settings.onProblem(
        'visits are not reported: set AGENT_TRAFFIC_URL (https://…) and AGENT_TRAFFIC_TOKEN, or url and token',
      );
    }
    return this.isConfigured;
  }

  private json(visit: Visit): string {
    const { request_path: path, ...clean } = this.redactor.visit(visit);
    return JSON.stringify({ request_path: path.slice(0, MAX_PATH_LENGTH), ...clean });
  }

  private question(request: AnyRequest): object {
    const { id, request_headers, client_address } = plainRequest(request);
    return { id, client_address, request_headers: this.redactor.headers(request_headers) };
  }

  private async ask<Told>(path: string, body: string, options?: AskOptions): Promise<Told> {
    return JSON.parse((await this.post(path, body, options)).text) as Told;
  }

  private async post(path: string, body: string, options: AskOptions = {}): Promise<Answer> {
    if (!this.isConfigured) throw new InstanceError(`${path} was not asked: url or token is missing`, null);
    const headers = { [TIMEOUT_HEADER]: String(options.timeoutMs ?? this.settings.timeoutMs) };
    return post(this.settings, path, body, { ...options, headers });
  }
}
