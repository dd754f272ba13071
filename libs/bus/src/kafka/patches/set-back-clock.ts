import { createRequire } from 'node:module';

interface ConsumerGroup {
  /** When the member was last heard, by the system's clock. */
  lastRequest: number;
  heartbeat(options: { interval: number }): Promise<void>;
}

/** Module of kafkajs whose class is changed. */
export const CONSUMER_GROUP = 'kafkajs/src/consumer/consumerGroup';

const GUARDED = Symbol.for('agent-traffic.guarded');

/**
 * Keeps the heartbeats of kafkajs 2.2.4 going when the system's clock is set back. It sends the next one an interval after
 * the last one by that clock: set back by an hour, none for an hour, and the group does without the member after its
 * session timeout, again and again.
 *
 * Upstream: none known.
 *
 * @throws when kafkajs is no longer built that way.
 */
export function guardHeartbeats(): void {
  const { prototype } = createRequire(import.meta.url)(CONSUMER_GROUP) as { prototype: ConsumerGroup };
  const original = prototype.heartbeat;
  if (typeof original !== 'function') throw new Error('kafkajs has another consumer group: look at guardHeartbeats');
  if (GUARDED in original) return;
  const guarded = function guarded(this: ConsumerGroup, options: { interval: number }): Promise<void> {
    if (this.lastRequest > Date.now()) this.lastRequest = 0;
    return original.call(this, options);
  };
  prototype.heartbeat = Object.assign(guarded, { [GUARDED]: true });
}
