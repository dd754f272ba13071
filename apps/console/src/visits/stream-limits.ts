import { Inject, Injectable } from '@nestjs/common';
import { tooManyRequests } from '#libs/platform';
import { Counter, Gauge } from 'prom-client';
import type { Principal } from '../access/principal.js';

/** Injection token of {@link ReadingLimits}. */
export const READING_LIMITS = Symbol('reading limits');

/** What may be under way in one process at the same time. */
export interface ReadingLimits {
  streamsPerKey: number;
  streamsPerProject: number;
  streams: number;
  exports: number;
}

export const DEFAULT_READING_LIMITS: ReadingLimits = {
  streamsPerKey: 100,
  streamsPerProject: 200,
  streams: 1_000,
  exports: 3,
};

/** Seconds after which to try again: streams end when somebody closes a page, exports within minutes. */
const RETRY_AFTER = { stream: 30, export: 10 };

const metrics = {
  streams: new Gauge({ name: 'agent_traffic_console_streams', help: 'Live streams that are open' }),
  refused: new Counter({
    name: 'agent_traffic_console_reading_refusals_total',
    help: 'Live streams and exports that were refused, by the limit that was reached',
    labelNames: ['limit'],
  }),
};

/** Counts open streams by who opened them, by project and in all. */
@Injectable()
export class StreamLimits {
  private readonly open = new Map<string, number>();

  constructor(@Inject(READING_LIMITS) private readonly limits: ReadingLimits) {}

  /** @returns gives the stream back; to be called when it ends. @throws ProblemError 429 when there are too many. */
  acquire({ keyId, user }: Principal, projectId: string): () => void {
    const owner = keyId === null ? `user ${user?.id}` : `key ${keyId}`;
    const { streamsPerKey, streamsPerProject, streams } = this.limits;
    const whose = keyId === null ? 'you have' : 'this API key has';
    this.refuseAt(owner, streamsPerKey, 'key', `${whose} ${streamsPerKey} live streams open`);
    this.refuseAt(projectId, streamsPerProject, 'project', `the project has ${streamsPerProject} live streams open`);
    this.refuseAt('all', streams, 'process', `this instance has ${streams} live streams open`);
    const names = [owner, projectId, 'all'];
    for (const name of names) this.count(name, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      for (const name of names) this.count(name, -1);
    };
  }

  get size(): number {
    return this.open.get('all') ?? 0;
  }

  private refuseAt(name: string, limit: number, label: string, fault: string): void {
    if ((this.open.get(name) ?? 0) < limit) return;
    metrics.refused.inc({ limit: `streams_${label}` });
    throw tooManyRequests(
      `Too many live streams: ${fault}, which is the limit. Close one, or try again in ${RETRY_AFTER.stream} s.`,
      RETRY_AFTER.stream,
    );
  }

  private count(name: string, by: 1 | -1): void {
    const count = (this.open.get(name) ?? 0) + by;
    if (count === 0) this.open.delete(name);
    else this.open.set(name, count);
    metrics.streams.set(this.size);
  }
}

/** @returns what is thrown when so many exports are under way. */
export function tooManyExports(limit: number): Error {
  metrics.refused.inc({ limit: 'exports' });
  return tooManyRequests(
    `Too many exports: ${limit} are under way, which is the limit. Try again in ${RETRY_AFTER.export} s.`,
    RETRY_AFTER.export,
  );
}
