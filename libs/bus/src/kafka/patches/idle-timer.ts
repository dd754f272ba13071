import { createRequire } from 'node:module';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

/** Module of kafkajs whose class is changed. */
export const REQUEST_QUEUE = 'kafkajs/src/network/requestQueue';

const GUARDED = Symbol.for('agent-traffic.guarded');

/**
 * Stops the timer with which kafkajs 2.2.4 looks for waiting requests while nobody waits. Its delay is negative, so it
 * fires again and again: some 900 times a second for each idle connection, 4 % of a core, and Node.js 24 warns of it.
 * Where nothing waits there is nothing to look for, and whatever comes to wait schedules the look itself.
 *
 * Upstream: https://github.com/tulios/kafkajs/issues/1556, https://github.com/tulios/kafkajs/issues/1751, both open.
 *
 * @throws when kafkajs is no longer built that way.
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
