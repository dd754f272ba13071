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

/** How long robots.txt rules and token lists stay fresh. */
const FRESH_MS = 3_600_000;
const TIMEOUT_HEADER = 'agent-traffic-timeout-ms';

export interface AskOptions {
  /** Default: `timeoutMs` of the client. */
  timeoutMs?: number | undefined;
}

/**
 * Client for an Agent Traffic instance: reports visits and identifies agents. Reporting never throws and never blocks.
 *
 * This class is for runtimes whose requests share no state, such as Cloudflare Workers. With `waitUntil`, it sends each
 * visit immediately, in its own request. In Node.js, the package exports a subclass that sends visits in batches, and
 * sends the last ones before the process exits.
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

  /** Number of visits sent, rejected, dropped and queued so far. */
  get counts(): VisitCounts & { queued: number } {
    return this.reporter.counts;
  }

  /** Returns false if the client isn't configured or `ignore` excludes the request. */
  reports(path: string, method: string): boolean {
    if (!this.isReporting) return false;
    try {
      return !this.settings.ignore(path, method);
    } catch {
      return true;
    }
  }

  /**
   * Claims a request for reporting. Returns false if it was already claimed for the same project.
   *
   * @param request The framework's request object.
   */
  claims(request: object): boolean {
    return claimReport(request, `${this.settings.url} ${this.settings.token}`);
  }

  /**
   * Reports a visit, with credentials redacted. Returns immediately and never throws.
   *
   * @param visit A promise while a body is still being read. If it resolves to null, nothing is reported.
   */
  record(visit: Visit | Promise<Visit | null>, waitUntil?: WaitUntil): void {
    if (!this.isReporting) return;
    this.attempt(() => {
      const json = visit instanceof Promise ? visit.then((known) => known && this.json(known)) : this.json(visit);
      this.report(json, waitUntil);
    });
  }

  /** Runs reporting code of an adapter. Errors go to `onProblem`, so they can't break the site. */
  attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.settings.onProblem(`a visit was not reported: ${String(error)}`);
    }
  }

  /** Sends all queued visits. Resolves when each is sent or dropped. */
  flush(): Promise<void> {
    return this.reporter.flush();
  }

  /** Sends all queued visits, for up to `shutdownTimeoutMs`. Visits recorded afterwards are sent immediately. */
  shutdown(): Promise<void> {
    return this.reporter.shutdown(this.settings.shutdownTimeoutMs);
  }

  /**
   * Identifies the sender of one request, or of each of up to 1,000 requests.
   *
   * @throws InstanceError if the instance doesn't return a result in time.
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

  /** Identifies the sender of one request. Unlike `identify`, it includes the path, which a signature may cover. */
  async verify(request: AnyRequest, options?: AskOptions): Promise<Identification> {
    const request_path = plainRequest(request).request_path.slice(0, MAX_PATH_LENGTH);
    return this.ask('/agent-verifications', JSON.stringify({ ...this.question(request), request_path }), options);
  }

  /**
   * Returns rules for a robots.txt, cached for an hour. Stale rules are returned while new ones are being fetched, and
   * while the instance is unavailable.
   *
   * @throws InstanceError if the instance is unavailable and nothing is cached.
   */
  robotsTxt(request: RobotsTxtRequest): Promise<string> {
    const body = JSON.stringify(request);
    return this.texts.get(body, async () => (await this.post('/robots-txts', body)).text);
  }

  /** Returns the user agent tokens of the selected agents, cached like the result of `robotsTxt`. */
  tokens(selection: AgentSelection): Promise<string[]> {
    const body = JSON.stringify(selection);
    return this.lists.get(body, () => this.ask<string[]>('/user-agent-token-lists', body));
  }

  /** Returns a guard that decides which requests to refuse. */
  block(options: BlockOptions): Guard {
    return new Guard(this, options);
  }

  /** @param json If it resolves to null, nothing is reported. */
  protected report(json: string | Promise<string | null>, waitUntil?: WaitUntil): void {
    if (waitUntil === undefined) this.queue(json);
    else waitUntil(this.reporter.sendAlone(json));
  }

  protected queue(json: string | Promise<string | null>): void {
    if (typeof json === 'string') this.reporter.add(json);
    else this.reporter.addLater(json);
  }

  /** Warns about missing configuration at the first visit: builds load a site's modules, too, but have no visitors. */
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
