import { InstanceError, post, type InstanceResponse } from './instance.js';
import { Guard, type BlockOptions } from './guard.js';
import { MAX_PATH_LENGTH } from './limits.js';
import { resolveSettings, type AgentTrafficOptions, type Settings } from './options.js';
import { Redactor } from './redaction.js';
import { StaleWhileRevalidateCache } from './stale-while-revalidate-cache.js';
import { claimReport, createReportMark } from './reported-requests.js';
import { toPlainRequest, type AnyRequest } from './requests.js';
import { RulesGuard, type EnforceOptions } from './rules-guard.js';
import { Snapshots } from './snapshots.js';
import type { AgentSelection, Identification, RobotsTxtRequest, Visit, WaitUntil } from './types.js';
import { VisitReporter } from './visit-reporter.js';
import type { VisitCounts } from './visit-sender.js';

/** How long robots.txt rules and token lists are cached before they are refreshed. */
const CACHE_TTL_MS = 3_600_000;
const TIMEOUT_HEADER = 'agent-traffic-timeout-ms';

export interface AskOptions {
  /** Default: the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
}

/**
 * Client that reports visits to an Agent Traffic instance and identifies agents. Reporting never throws and never
 * delays a response.
 *
 * This class targets runtimes whose requests share no state, such as Cloudflare Workers. If `waitUntil` is given, each
 * visit is sent immediately in a separate request. In Node.js, the package exports a subclass that sends visits in
 * batches and flushes the queue before the process exits.
 */
export class AgentTraffic {
  protected readonly settings: Settings;
  protected readonly reporter: VisitReporter;
  private readonly isConfigured: boolean;
  private hasWarned = false;
  private mark: Promise<string> | undefined;
  private readonly redactor: Redactor;
  private snapshots: Snapshots | undefined;
  private readonly robotsTxtCache = new StaleWhileRevalidateCache<string>(CACHE_TTL_MS);
  private readonly tokenCache = new StaleWhileRevalidateCache<string[]>(CACHE_TTL_MS);

  constructor(options: AgentTrafficOptions = {}) {
    const { isConfigured, ...settings } = resolveSettings(options);
    this.settings = settings;
    this.isConfigured = isConfigured;
    this.redactor = new Redactor(settings.redactedHeaders);
    this.reporter = new VisitReporter(settings);
  }

  /** Number of visits sent, rejected and dropped since the client was created, and the number currently queued. */
  get counts(): VisitCounts & { queued: number } {
    return this.reporter.counts;
  }

  /** Returns false if the client isn't configured or if `ignore` excludes the request. */
  reports(path: string, method: string): boolean {
    if (!this.isReporting) return false;
    try {
      return !this.settings.ignore(path, method);
    } catch {
      return true;
    }
  }

  /**
   * Marks a request as reported, so that only one adapter reports it. Returns false if it was already marked for the
   * same project.
   *
   * @param request The framework's request object.
   */
  claims(request: object): boolean {
    return claimReport(request, this.project);
  }

  /** Returns the text that marks a request as reported to this project, in runtimes that don't share its object. */
  reportMark(): Promise<string> {
    return (this.mark ??= createReportMark(this.project));
  }

  /**
   * Redacts credentials in a visit and reports it. Returns immediately and never throws.
   *
   * @param visit A promise if a body is still being read. If it resolves to null, the visit isn't reported.
   */
  record(visit: Visit | Promise<Visit | null>, waitUntil?: WaitUntil): void {
    if (!this.isReporting) return;
    this.attempt(() => {
      const json =
        visit instanceof Promise
          ? visit.then((resolvedVisit) => resolvedVisit && this.serialize(resolvedVisit))
          : this.serialize(visit);
      this.report(json, waitUntil);
    });
  }

  /** Runs an adapter's reporting code. Passes errors to `onProblem` so they can't break the site. */
  attempt(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.settings.onProblem(`failed to report a visit: ${String(error)}`);
    }
  }

  /** Sends all queued visits. Resolves when every visit has been sent or dropped. */
  flush(): Promise<void> {
    return this.reporter.flush();
  }

  /**
   * Sends all queued visits, and drops those not sent within `shutdownTimeoutMs`. Visits recorded after the call are
   * sent immediately.
   */
  shutdown(): Promise<void> {
    return this.reporter.shutdown(this.settings.shutdownTimeoutMs);
  }

  /**
   * Identifies the sender of a request, or the senders of up to 1,000 requests.
   *
   * @throws {InstanceError} if the instance doesn't return a result in time.
   */
  identify(request: AnyRequest, options?: AskOptions): Promise<Identification>;
  identify(requests: readonly AnyRequest[], options?: AskOptions): Promise<Identification[]>;
  async identify(
    requests: AnyRequest | readonly AnyRequest[],
    options?: AskOptions,
  ): Promise<Identification | Identification[]> {
    const body = Array.isArray(requests)
      ? requests.map((request: AnyRequest) => this.toIdentificationRequest(request))
      : this.toIdentificationRequest(requests as AnyRequest);
    return this.postForJson('/agent-identifications', JSON.stringify(body), options);
  }

  /**
   * Identifies the sender of a request. Unlike `identify`, it also sends the path, which is needed to verify signatures
   * that cover it.
   */
  async verify(request: AnyRequest, options?: AskOptions): Promise<Identification> {
    const request_path = toPlainRequest(request).request_path.slice(0, MAX_PATH_LENGTH);
    return this.postForJson(
      '/agent-verifications',
      JSON.stringify({ ...this.toIdentificationRequest(request), request_path }),
      options,
    );
  }

  /**
   * Returns robots.txt rules, cached for an hour. Serves stale rules during a refresh and while the instance is
   * unavailable.
   *
   * @throws {InstanceError} if the instance is unavailable and no rules are cached.
   */
  robotsTxt(request: RobotsTxtRequest): Promise<string> {
    const body = JSON.stringify(request);
    return this.robotsTxtCache.get(body, async () => (await this.post('/robots-txts', body)).text);
  }

  /** Returns the user agent tokens of the selected agents. They are cached in the same way as robots.txt rules. */
  tokens(selection: AgentSelection): Promise<string[]> {
    const body = JSON.stringify(selection);
    return this.tokenCache.get(body, () => this.postForJson<string[]>('/user-agent-token-lists', body));
  }

  block(options: BlockOptions): Guard {
    return new Guard(this, options);
  }

  /**
   * Applies the project's rules in this process. Requires the option `engine`.
   *
   * @throws {TypeError} if the client was created without `engine`.
   */
  enforce(options: EnforceOptions = {}): RulesGuard {
    const { engine } = this.settings;
    if (engine === null) throw new TypeError('enforce requires the option engine: the Engine of @agent-traffic/engine');
    this.snapshots ??= new Snapshots(this.settings, engine);
    return new RulesGuard(this.snapshots, (request, askOptions) => this.verify(request, askOptions), options);
  }

  /** @param json A serialized visit. If it's a promise that resolves to null, the visit isn't reported. */
  protected report(json: string | Promise<string | null>, waitUntil?: WaitUntil): void {
    if (waitUntil === undefined) this.queue(json);
    else waitUntil(this.reporter.sendImmediately(json));
  }

  protected queue(json: string | Promise<string | null>): void {
    if (typeof json === 'string') this.reporter.add(json);
    else this.reporter.addPending(json);
  }

  /**
   * Returns true if visits can be sent. The warning about a missing configuration is logged only when a visit is
   * reported, because builds load a site's modules without the configuration.
   */
  private get isReporting(): boolean {
    if (!this.isConfigured && !this.hasWarned) {
      this.hasWarned = true;
      this.settings.onProblem(
        'visits are not being reported: set AGENT_TRAFFIC_URL (https://…) and AGENT_TRAFFIC_TOKEN, or pass url and token',
      );
    }
    return this.isConfigured;
  }

  private get project(): string {
    return `${this.settings.url} ${this.settings.token}`;
  }

  private serialize(visit: Visit): string {
    const { request_path: path, ...redacted } = this.redactor.redactVisit(visit);
    return JSON.stringify({ request_path: path.slice(0, MAX_PATH_LENGTH), ...redacted });
  }

  private toIdentificationRequest(request: AnyRequest): object {
    const { id, request_headers, client_address } = toPlainRequest(request);
    return { id, client_address, request_headers: this.redactor.redactHeaders(request_headers) };
  }

  private async postForJson<Result>(path: string, body: string, options?: AskOptions): Promise<Result> {
    return JSON.parse((await this.post(path, body, options)).text) as Result;
  }

  private async post(path: string, body: string, options: AskOptions = {}): Promise<InstanceResponse> {
    if (!this.isConfigured) throw new InstanceError(`cannot call ${path}: url or token is missing or invalid`, null);
    const headers = { [TIMEOUT_HEADER]: String(options.timeoutMs ?? this.settings.timeoutMs) };
    return post(this.settings, path, body, { ...options, headers });
  }
}
