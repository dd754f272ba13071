import { createRequire } from 'node:module';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

/**
 * kafkajs 2.2.4 looks for waiting requests with a timer whose delay is negative while nobody waits: some 900 wake-ups
 * a second for each idle connection, 4 % of a core. Where nothing waits there is nothing to look for, and whatever
 * comes to wait schedules the look itself.
 *
 * @throws when kafkajs is no longer built that way.
 */
export function guardIdleTimer(): void {
  const require = createRequire(import.meta.url);
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  const original = prototype.scheduleCheckPendingRequests;
  if (typeof original !== 'function') throw new Error('kafkajs has another request queue: look at guardIdleTimer');
  if (GUARDED in original) return;
  const guarded = function guarded(this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) original.call(this);
  };
  prototype.scheduleCheckPendingRequests = Object.assign(guarded, { [GUARDED]: true });
}

const GUARDED = Symbol.for('agent-traffic.guarded');
