import { createRequire } from 'node:module';

interface ConsumerGroup {
  /** Time of the last heartbeat, in milliseconds of the system clock. */
  lastRequest: number;
  heartbeat(options: { interval: number }): Promise<void>;
}

export const CONSUMER_GROUP = 'kafkajs/src/consumer/consumerGroup';

const GUARDED = Symbol.for('agent-traffic.guarded');

/**
 * Keeps kafkajs 2.2.4 sending heartbeats when the system clock is set back.
 *
 * kafkajs times heartbeats by the system clock. If it's set back by an hour, kafkajs sends none for an hour, and the
 * group removes the member after its session timeout.
 *
 * No upstream issue is known.
 *
 * @throws if the class in kafkajs has changed.
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
