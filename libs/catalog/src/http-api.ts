import type { Explanation, PublicIdentification } from '#libs/contracts';
import type { InternalClient } from '#libs/platform';
import { IdentificationApi, type IdentificationItem, type SiteSettings } from './api.js';
import { explainAlone, identifyAlone, identifyTogether, type ItemsToIdentify } from './internal-operations.js';

interface Waiting {
  /** A serialized {@link ItemsToIdentify}. */
  json: string;
  answer: PromiseWithResolvers<PublicIdentification[] | null>;
  /** Arrival time from `performance.now()`, in milliseconds. */
  since: number;
}

/** Limits on concurrent calls and on the size of each. In larger calls, requests would wait for each other. */
const MAX_CONCURRENT_CALLS = 4;
const MAX_BATCH_CHARACTERS = 256 * 1024;
/**
 * Maximum time between the first and last request of a batch. The oldest request determines the deadline of the call.
 */
const APART_MS = 500;
/** Total time for a request, and the part of it that isn't available for lookups. */
const TIMEOUT_MS = 2_000;
const ASIDE_MS = 400;

/**
 * Client of the catalog service. Requests that arrive together, or while the maximum number of calls is in flight, are
 * batched, so a flood of requests causes few calls. A request that needs a lookup is resent in a separate call, so it
 * doesn't delay the others.
 */
export class HttpIdentificationApi extends IdentificationApi {
  private waiting: Waiting[] = [];
  private calls = 0;
  private isScheduled = false;

  constructor(private readonly client: InternalClient) {
    super();
  }

  async identify(
    items: readonly IdentificationItem[],
    site: SiteSettings,
    lookUpMs = TIMEOUT_MS,
  ): Promise<PublicIdentification[]> {
    const since = performance.now();
    const sent = { items, site };
    const json = JSON.stringify(sent);
    const atOnce = json.length > MAX_BATCH_CHARACTERS ? null : await this.sendWithOthers({ json, since });
    return atOnce ?? this.sendAlone(sent, since, lookUpMs);
  }

  async explain(item: IdentificationItem, site: SiteSettings): Promise<Explanation> {
    return this.client.request({ method: 'POST', path: explainAlone.path, body: { item, site }, isIdempotent: true });
  }

  private sendAlone(sent: ItemsToIdentify, since: number, lookUpMs: number): Promise<PublicIdentification[]> {
    const timeoutMs = timeLeft(since);
    const elapsed = performance.now() - since;
    const body = { ...sent, timeoutMs: Math.max(0, Math.min(timeoutMs - ASIDE_MS, Math.ceil(lookUpMs - elapsed))) };
    return this.client.request({
      method: 'POST',
      path: identifyAlone.path,
      body,
      timeoutMs,
      isIdempotent: true,
    });
  }

  private sendWithOthers(request: Omit<Waiting, 'answer'>): Promise<PublicIdentification[] | null> {
    const answer = Promise.withResolvers<PublicIdentification[] | null>();
    this.waiting.push({ ...request, answer });
    this.scheduleCall();
    return answer.promise;
  }

  /**
   * Schedules a call after pending I/O, so requests that have already arrived join it. A call costs both services as
   * much as several items.
   */
  private scheduleCall(): void {
    if (this.isScheduled || this.waiting.length === 0 || this.calls === MAX_CONCURRENT_CALLS) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      void this.call();
      this.scheduleCall();
    });
  }

  private async call(): Promise<void> {
    this.calls += 1;
    const requests = this.take();
    try {
      const answers = await this.client.request<(PublicIdentification[] | null)[]>({
        method: 'POST',
        path: identifyTogether.path,
        json: `[${requests.map(({ json }) => json).join(',')}]`,
        timeoutMs: timeLeft(requests[0]!.since),
        isIdempotent: true,
      });
      for (const [index, { answer }] of requests.entries()) answer.resolve(answers[index] ?? null);
    } catch (error) {
      for (const { answer } of requests) answer.reject(error);
    }
    this.calls -= 1;
    this.scheduleCall();
  }

  /** Removes the oldest requests from the queue, up to the limits of one call. */
  private take(): Waiting[] {
    const oldest = this.waiting[0]!.since;
    let characters = 0;
    const end = this.waiting.findIndex(
      ({ json, since }) => (characters += json.length) > MAX_BATCH_CHARACTERS || since - oldest > APART_MS,
    );
    return this.waiting.splice(0, end === -1 ? this.waiting.length : end);
  }
}

/** Returns the remaining time, at least 1 ms, so a request that waited too long fails with the usual timeout error. */
const timeLeft = (since: number): number => Math.max(1, Math.ceil(TIMEOUT_MS - (performance.now() - since)));
