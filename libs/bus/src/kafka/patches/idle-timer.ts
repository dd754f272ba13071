import { createRequire } from 'node:module';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

export const REQUEST_QUEUE = 'kafkajs/src/network/requestQueue';

const GUARDED = Symbol.for('agent-traffic.guarded');

/**
 * Stops kafkajs 2.2.4 from polling idle connections. Without pending requests, the delay of its timer is negative, so
 * the timer fires continuously and Node.js 24 logs warnings.
 *
 * The timer isn't needed until a request is pending, and every new request schedules it.
 *
 * Upstream: https://github.com/tulios/kafkajs/issues/1556, https://github.com/tulios/kafkajs/issues/1751.
 *
 * @throws if the class in kafkajs has changed.
 */
export function guardIdleTimer(): void {
  const { prototype } = createRequire(import.meta.url)(REQUEST_QUEUE) as { prototype: RequestQueue };
  const original = prototype.scheduleCheckPendingRequests;
  if (typeof original !== 'function') throw new Error('kafkajs has another request queue: look at guardIdleTimer');
  if (GUARDED in original) return;
  const guarded = function guarded(this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) original.call(this);
  };
  prototype.scheduleCheckPendingRequests = Object.assign(guarded, { [GUARDED]: true });
}
