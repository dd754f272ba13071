import { createRequire } from 'node:module';

interface ConsumerGroup {
  /** Time of the last heartbeat in milliseconds, based on the system clock. */
  lastRequest: number;
  heartbeat(options: { interval: number }): Promise<void>;
}

export const CONSUMER_GROUP_MODULE = 'kafkajs/src/consumer/consumerGroup';

const IS_GUARDED = Symbol.for('agent-traffic.guarded');

/**
 * Makes kafkajs 2.2.4 continue sending heartbeats after the system clock is set back. kafkajs schedules heartbeats by
 * the system clock. If it is set back by an hour, kafkajs sends none for an hour, and the group removes the member
 * after its session timeout.
 *
 * No upstream issue is known.
 *
 * @throws {Error} if the kafkajs class has changed.
 */
export function fixHeartbeatsAfterClockChange(): void {
  const { prototype } = createRequire(import.meta.url)(CONSUMER_GROUP_MODULE) as { prototype: ConsumerGroup };
  const original = prototype.heartbeat;
  if (typeof original !== 'function')
    throw new Error('the consumer group in kafkajs has changed; update fixHeartbeatsAfterClockChange');
  if (IS_GUARDED in original) return;
  const guarded = function guarded(this: ConsumerGroup, options: { interval: number }): Promise<void> {
    if (this.lastRequest > Date.now()) this.lastRequest = 0;
    return original.call(this, options);
  };
  prototype.heartbeat = Object.assign(guarded, { [IS_GUARDED]: true });
}
