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
import { MAX_RETRY_AFTER_SECONDS, spreadRetryAfter } from './retry-after.js';

/**
 * Fixed cost of a request, in equivalent body bytes. Without it, the limit measured with single visits would be too low
 * for batches, and the other way around.
 */
const REQUEST_BYTES = 2 * 1024;

export const weightOf = (bodyBytes: number): number => REQUEST_BYTES + bodyBytes;

/** Responses by `Retry-After` in seconds. Prepared in advance, so refusing is cheap. */
const REFUSALS = Array.from(
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

/**
 * Refusals since the last scrape. Plain numbers are cheaper than `Counter.inc`, which looks up its labels each time.
 */
const refusals = { before_body: 0, after_body: 0 };
const metrics = {
  refused: new Counter({
    name: 'agent_traffic_gateway_overload_refusals_total',
    help: 'Requests refused because of load',
    labelNames: ['stage'],
    collect() {
      for (const stage of ['before_body', 'after_body'] as const) {
        this.inc({ stage }, refusals[stage]);
        refusals[stage] = 0;
      }
    },
  }),
  admitted: new Gauge({
    name: 'agent_traffic_gateway_admitted_bytes',
    help: 'Bytes of admitted requests that are not safe yet',
  }),
  limit: new Gauge({
    name: 'agent_traffic_gateway_admitted_bytes_limit',
    help: 'Maximum of admitted bytes, as measured',
  }),
};

/** Admits visits that can be stored in time, and refuses the rest immediately. */
@Injectable()
export class AdmissionService {
  readonly control = new AdmissionControl();
  private refused = 0;
  private logAt = 0;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /**
   * Runs the work if capacity allows.
   *
   * @param bodyBytes Decoded size of the body.
   * @throws ProblemError 503 if capacity is exhausted.
   */
  async run<T>(admission: Admission, bodyBytes: number, work: () => Promise<T>): Promise<T> {
    if (!this.control.start(admission, weightOf(bodyBytes))) throw this.refuse('after_body').problem;
    let isDone = true;
    try {
      return await work();
    } catch (error) {
      isDone = error instanceof ProblemError && error.statusCode < 500;
      throw error;
    } finally {
      this.control.end(admission, isDone);
      metrics.admitted.set(this.control.admitted);
      metrics.limit.set(this.control.limit);
    }
  }

  /**
   * Waits for capacity to continue a request that is partly stored. Refusing it immediately would make the client
   * resend the stored part.
   *
   * @param bodyBytes Decoded size of the next part.
   * @throws ProblemError 503 if no capacity becomes available within `MAX_WAIT_MS`.
   */
  async more(bodyBytes: number, projectId: string): Promise<Admission> {
    for (let waited = 0; waited < MAX_WAIT_MS; waited += WAIT_INTERVAL_MS) {
      const admission = this.control.admit(weightOf(bodyBytes), projectId);
      if (admission !== null) return admission;
      await setTimeout(WAIT_INTERVAL_MS);
    }
    throw this.refuse('after_body').problem;
  }

  /** Counts a refusal and returns its response. */
  refuse(stage: 'before_body' | 'after_body'): PreparedProblem {
    refusals[stage] += 1;
    this.refused += 1;
    if (performance.now() > this.logAt) {
      this.logger.warn({ requests: this.refused }, 'more visits arrive than can be stored in time; some are refused');
      this.logAt = performance.now() + LOG_INTERVAL_MS;
      this.refused = 0;
    }
    return REFUSALS[spreadRetryAfter()]!;
  }
}
