import { createRequire } from 'node:module';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

export const REQUEST_QUEUE_MODULE = 'kafkajs/src/network/requestQueue';

const IS_GUARDED = Symbol.for('agent-traffic.guarded');

/**
 * Stops kafkajs 2.2.4 from polling idle connections. Without pending requests, its timer has a negative delay, so it
 * fires continuously and Node.js 24 logs warnings. The timer isn't needed then because each new request schedules it.
 *
 * Upstream: https://github.com/tulios/kafkajs/issues/1556 and https://github.com/tulios/kafkajs/issues/1751.
 *
 * @throws {Error} if the kafkajs class has changed.
 */
export function preventIdlePolling(): void {
  const { prototype } = createRequire(import.meta.url)(REQUEST_QUEUE_MODULE) as { prototype: RequestQueue };
  const original = prototype.scheduleCheckPendingRequests;
  if (typeof original !== 'function')
    throw new Error('the request queue in kafkajs has changed; update preventIdlePolling');
  if (IS_GUARDED in original) return;
  const guarded = function guarded(this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) original.call(this);
  };
  prototype.scheduleCheckPendingRequests = Object.assign(guarded, { [IS_GUARDED]: true });
}
