import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  type Admission,
  AdmissionControl,
  LOGGER,
  type Logger,
  PreparedProblem,
  ProblemError,
  unavailable,
} from '#libs/platform';
import { Counter, Gauge } from 'prom-client';
import { MAX_RETRY_AFTER_SECONDS, randomRetryAfter } from './retry-after.js';

/**
 * Fixed cost of a request, expressed as a number of body bytes. Because of this cost, a limit that was determined while
 * batches arrive also works for single visits, and vice versa.
 */
const REQUEST_BYTES = 2 * 1024;

export const requestWeight = (bodyBytes: number): number => REQUEST_BYTES + bodyBytes;

/** Prepared responses, indexed by their `Retry-After` in seconds. Preparing them makes rejections cheap. */
const REJECTIONS = Array.from(
  { length: MAX_RETRY_AFTER_SECONDS + 1 },
  (_, seconds) =>
    new PreparedProblem(
      unavailable(
        `More visits arrive than can be stored right now. These were not stored: resend them in ${seconds} s.`,
        undefined,
        seconds,
      ),
    ),
);
const [MAX_WAIT_MS, WAIT_INTERVAL_MS] = [5_000, 20];
const LOG_INTERVAL_MS = 5_000;

/** Rejections since the last scrape. Plain numbers avoid the label lookup in `Counter.inc`. */
const rejectionCounts = { before_body: 0, after_body: 0 };
const metrics = {
  refused: new Counter({
    name: 'agent_traffic_gateway_overload_refusals_total',
    help: 'Requests rejected due to overload',
    labelNames: ['stage'],
    collect() {
      for (const stage of ['before_body', 'after_body'] as const) {
        this.inc({ stage }, rejectionCounts[stage]);
        rejectionCounts[stage] = 0;
      }
    },
  }),
  admitted: new Gauge({
    name: 'agent_traffic_gateway_admitted_bytes',
    help: 'Size of admitted requests whose visits are not safely stored yet, in bytes',
  }),
  limit: new Gauge({
    name: 'agent_traffic_gateway_admitted_bytes_limit',
    help: 'Current limit on admitted bytes, derived from measured throughput',
  }),
};

/** Admits as many visits as can be stored in time and rejects the rest early. */
@Injectable()
export class AdmissionService {
  readonly control = new AdmissionControl();
  private rejectedSinceLog = 0;
  private nextLogAt = 0;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /**
   * Runs the work if there is enough capacity.
   *
   * @param bodyBytes Size of the decoded body.
   * @throws {ProblemError} 503 if there isn't enough capacity.
   */
  async run<T>(admission: Admission, bodyBytes: number, work: () => Promise<T>): Promise<T> {
    if (!this.control.start(admission, requestWeight(bodyBytes))) throw this.refuse('after_body').problem;
    let isDone = true;
    try {
      return await work();
    } catch (error) {
      isDone = error instanceof ProblemError && error.statusCode < 500;
      throw error;
    } finally {
      this.control.finish(admission, isDone);
      metrics.admitted.set(this.control.admittedBytes);
      metrics.limit.set(this.control.limitBytes);
    }
  }

  /**
   * Waits for capacity to process the next part of a request that is already partly stored. Rejecting the request
   * immediately would make the client resend the stored part.
   *
   * @param bodyBytes Decoded size of the next part.
   * @throws {ProblemError} 503 if no capacity becomes available within {@link MAX_WAIT_MS}.
   */
  async waitForCapacity(bodyBytes: number, projectId: string): Promise<Admission> {
    for (let waited = 0; waited < MAX_WAIT_MS; waited += WAIT_INTERVAL_MS) {
      const admission = this.control.admit(requestWeight(bodyBytes), projectId);
      if (admission !== null) return admission;
      await setTimeout(WAIT_INTERVAL_MS);
    }
    throw this.refuse('after_body').problem;
  }

  /** Counts a rejection and returns the response to send. */
  refuse(stage: 'before_body' | 'after_body'): PreparedProblem {
    rejectionCounts[stage] += 1;
    this.rejectedSinceLog += 1;
    if (performance.now() > this.nextLogAt) {
      this.logger.warn(
        { requests: this.rejectedSinceLog },
        'rejecting some requests: visits arrive faster than they can be stored',
      );
      this.nextLogAt = performance.now() + LOG_INTERVAL_MS;
      this.rejectedSinceLog = 0;
    }
    return REJECTIONS[randomRetryAfter()]!;
  }
}
