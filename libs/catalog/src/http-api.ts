import type { Explanation, PublicIdentification } from '#libs/contracts';
import type { InternalClient } from '#libs/platform';
import { IdentificationApi, type IdentificationItem, type SiteSettings } from './api.js';
import { explainAlone, identifyAlone, identifyTogether, type ItemsToIdentify } from './internal-operations.js';

interface Waiting {
  /** An {@link ItemsToIdentify}. */
  json: string;
  answer: PromiseWithResolvers<PublicIdentification[] | null>;
  /** Milliseconds, of `performance.now()`. */
  since: number;
}

/** Calls under way at once, and what one carries: more would keep those in it waiting for each other. */
const MAX_CONCURRENT_CALLS = 4;
const MAX_BATCH_CHARACTERS = 256 * 1024;
/** Milliseconds: requests that came further apart don't go together, since the oldest has the least time left. */
const APART_MS = 500;
/** Milliseconds for an answer, all in all, and those of them that are not for looking up. */
const TIMEOUT_MS = 2_000;
const ASIDE_MS = 400;

/**
 * Asks catalog over HTTP. Requests that come at once, or while others are under way, gather and go together, so that a flood
 * of them costs few calls. What catalog has to look something up for is sent again alone, and holds nobody else up.
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

  /** Lets everything that has arrived be read first: a call costs both services as much as several items. */
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

  /** Those that waited longest, as many as one call carries. */
  private take(): Waiting[] {
    const oldest = this.waiting[0]!.since;
    let characters = 0;
    const end = this.waiting.findIndex(
      ({ json, since }) => (characters += json.length) > MAX_BATCH_CHARACTERS || since - oldest > APART_MS,
    );
    return this.waiting.splice(0, end === -1 ? this.waiting.length : end);
  }
}

/** At least one, so that a caller that waited too long gets the same error. */
const timeLeft = (since: number): number => Math.max(1, Math.ceil(TIMEOUT_MS - (performance.now() - since)));
