import { Inject, Injectable } from '@nestjs/common';
import { AdmissionControl, LOGGER, type Logger, ProblemError, unavailable } from '#libs/platform';
import { Counter, Gauge } from 'prom-client';
import { RequestQueue } from './request-queue.js';
import { MAX_RETRY_AFTER_SECONDS, spreadRetryAfter } from './retry-after.js';

/** Made once, as they are given often; by the seconds after which to come back. */
const REFUSALS = Array.from({ length: MAX_RETRY_AFTER_SECONDS + 1 }, (_, seconds) =>
  unavailable(
    `More visits arrive than can be stored right now. These were not stored: resend them in ${seconds} s.`,
    undefined,
    seconds,
  ),
);
/** Milliseconds between two log lines about refusals. */
const LOG_INTERVAL_MS = 5_000;

const metrics = {
  refused: new Counter({
    name: 'agent_traffic_gateway_overload_refusals_total',
    help: 'Requests refused because more visits arrive than can be stored in time: before or after the body was read',
    labelNames: ['stage'],
  }),
  underWay: new Gauge({ name: 'agent_traffic_gateway_admitted_bytes', help: 'Bytes of bodies that are being stored' }),
  limit: new Gauge({
    name: 'agent_traffic_gateway_admitted_bytes_limit',
    help: 'Bytes of bodies that can be stored in time, as measured; more are refused',
  }),
};

/** Admits the visits that can be stored in time, and refuses the others immediately. */
@Injectable()
export class AdmissionService {
  /** Requests that are admitted, and not read yet. */
  readonly queue = new RequestQueue();
  private readonly control = new AdmissionControl();
  private refused = 0;
  private logAt = 0;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** Whether to read a body of so many bytes. */
  expect(bytes: number): boolean {
    return this.control.expect(bytes);
  }

  /** Whether to let another request into the queue. */
  get hasCapacity(): boolean {
    return this.control.hasCapacityBehind(this.queue.bytes);
  }

  /** Does the work unless there is too much of it. @throws ProblemError 503. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (!this.control.enter(bytes)) throw this.refuse('after_body');
    let isDone = true;
    try {
      return await work();
    } catch (error) {
      isDone = error instanceof ProblemError && error.statusCode < 500;
      throw error;
    } finally {
      this.control.leave(bytes, isDone, this.queue.bytes);
      metrics.underWay.set(this.control.underWay);
      metrics.limit.set(this.control.limit);
    }
  }

  /** Counts a refusal. @returns what it is answered with. */
  refuse(stage: 'before_body' | 'after_body'): ProblemError {
    metrics.refused.inc({ stage });
    this.refused += 1;
    if (Date.now() > this.logAt) {
      this.logger.warn({ requests: this.refused }, 'more visits arrive than can be stored in time; some are refused');
      this.logAt = Date.now() + LOG_INTERVAL_MS;
      this.refused = 0;
    }
    return REFUSALS[spreadRetryAfter()]!;
  }
}
