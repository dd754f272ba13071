import type { Explanation, PublicIdentification } from '#libs/contracts';
import type { InternalClient } from '#libs/platform';
import { IdentificationApi, type IdentificationItem, type SiteSettings } from './api.js';
import {
  explainOperation,
  identifyOperation,
  identifyBatchOperation,
  type IdentificationBatch,
} from './internal-operations.js';

interface PendingRequest {
  /** Serialized {@link IdentificationBatch}. */
  json: string;
  answer: PromiseWithResolvers<PublicIdentification[] | null>;
  /** Arrival time in milliseconds, from `performance.now()`. */
  since: number;
}

/**
 * Limits on concurrent calls and on the size of each call. In larger calls, requests would wait for each other's
 * lookups.
 */
const MAX_CONCURRENT_CALLS = 4;
const MAX_BATCH_CHARACTERS = 256 * 1024;
/** Maximum time between the first and last request in a batch. The oldest one determines the deadline of the call. */
const MAX_BATCH_SPREAD_MS = 500;
/**
 * Total time for a request. {@link OVERHEAD_MS} of it is reserved for sending and receiving, and the rest is available
 * for lookups.
 */
const REQUEST_TIMEOUT_MS = 2_000;
const OVERHEAD_MS = 400;

/**
 * Client for the catalog service. To keep the number of calls low, batches requests that arrive together or while the
 * maximum number of calls is in flight. A request that needs a lookup is resent separately, so it doesn't delay the
 * others.
 */
export class HttpIdentificationApi extends IdentificationApi {
  private pendingRequests: PendingRequest[] = [];
  private callsInFlight = 0;
  private isScheduled = false;

  constructor(private readonly client: InternalClient) {
    super();
  }

  async identify(
    items: readonly IdentificationItem[],
    site: SiteSettings,
    lookupTimeoutMs = REQUEST_TIMEOUT_MS,
  ): Promise<PublicIdentification[]> {
    const arrivedAt = performance.now();
    const payload = { items, site };
    const json = JSON.stringify(payload);
    const batchedResult = json.length > MAX_BATCH_CHARACTERS ? null : await this.enqueue({ json, since: arrivedAt });
    return batchedResult ?? this.sendSeparately(payload, arrivedAt, lookupTimeoutMs);
  }

  async explain(item: IdentificationItem, site: SiteSettings): Promise<Explanation> {
    return this.client.request({
      method: 'POST',
      path: explainOperation.path,
      body: { item, site },
      isIdempotent: true,
    });
  }

  private sendSeparately(
    payload: IdentificationBatch,
    arrivedAt: number,
    lookupTimeoutMs: number,
  ): Promise<PublicIdentification[]> {
    const timeoutMs = getRemainingMs(arrivedAt);
    const elapsed = performance.now() - arrivedAt;
    const body = {
      ...payload,
      timeoutMs: Math.max(0, Math.min(timeoutMs - OVERHEAD_MS, Math.ceil(lookupTimeoutMs - elapsed))),
    };
    return this.client.request({
      method: 'POST',
      path: identifyOperation.path,
      body,
      timeoutMs,
      isIdempotent: true,
    });
  }

  private enqueue(request: Omit<PendingRequest, 'answer'>): Promise<PublicIdentification[] | null> {
    const result = Promise.withResolvers<PublicIdentification[] | null>();
    this.pendingRequests.push({ ...request, answer: result });
    this.scheduleCall();
    return result.promise;
  }

  /**
   * Schedules a call after pending I/O, so requests that have already arrived can join it. For both services, the
   * overhead of a call is as high as the cost of several items.
   */
  private scheduleCall(): void {
    if (this.isScheduled || this.pendingRequests.length === 0 || this.callsInFlight === MAX_CONCURRENT_CALLS) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      void this.sendBatch();
      this.scheduleCall();
    });
  }

  private async sendBatch(): Promise<void> {
    this.callsInFlight += 1;
    const requests = this.dequeueBatch();
    try {
      const responses = await this.client.request<(PublicIdentification[] | null)[]>({
        method: 'POST',
        path: identifyBatchOperation.path,
        json: `[${requests.map(({ json }) => json).join(',')}]`,
        timeoutMs: getRemainingMs(requests[0]!.since),
        isIdempotent: true,
      });
      for (const [index, { answer: result }] of requests.entries()) result.resolve(responses[index] ?? null);
    } catch (error) {
      for (const { answer: result } of requests) result.reject(error);
    }
    this.callsInFlight -= 1;
    this.scheduleCall();
  }

  /** Dequeues the oldest requests, up to the limits of one call. */
  private dequeueBatch(): PendingRequest[] {
    const oldest = this.pendingRequests[0]!.since;
    let characters = 0;
    const end = this.pendingRequests.findIndex(
      ({ json, since: arrivedAt }) =>
        (characters += json.length) > MAX_BATCH_CHARACTERS || arrivedAt - oldest > MAX_BATCH_SPREAD_MS,
    );
    return this.pendingRequests.splice(0, end === -1 ? this.pendingRequests.length : end);
  }
}

/** Returns the remaining time, but at least 1 ms so that an expired request fails with the usual timeout error. */
const getRemainingMs = (arrivedAt: number): number =>
  Math.max(1, Math.ceil(REQUEST_TIMEOUT_MS - (performance.now() - arrivedAt)));
