import { Inject, Injectable } from '@nestjs/common';
import { tooManyRequests } from '#libs/platform';
import { Gauge } from 'prom-client';
import { principalName, type Principal } from '../access/principal.js';
import { refusedReads } from '../reading/refused-reads.js';

/** Injection token of {@link ReadingLimits}. */
export const READING_LIMITS = Symbol('reading limits');

/** How many streams and exports a process allows at the same time. */
export interface ReadingLimits {
  streamsPerKey: number;
  streamsPerProject: number;
  streams: number;
  exports: number;
  /** Bytes that all streams together may have written and not sent. */
  unsentStreamBytes?: number;
}

export const DEFAULT_READING_LIMITS: ReadingLimits = {
  streamsPerKey: 100,
  streamsPerProject: 200,
  streams: 1_000,
  exports: 3,
};

/** Streams end when somebody closes a page, exports within minutes. */
const RETRY_AFTER_SECONDS = { stream: 30, export: 10 };

const metrics = {
  streams: new Gauge({ name: 'agent_traffic_console_streams', help: 'Live streams that are open' }),
};

/** Counts open streams by who opened them, by project, and in total. */
@Injectable()
export class StreamLimits {
  private readonly open = new Map<string, number>();

  constructor(@Inject(READING_LIMITS) private readonly limits: ReadingLimits) {}

  /** @returns a function to call when the stream ends. @throws ProblemError 429 when too many are open. */
  acquire(principal: Principal, projectId: string): () => void {
    const { keyId } = principal;
    const owner = principalName(principal);
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
    refusedReads.inc({ limit: `streams_${label}` });
    throw tooManyRequests(
      `Too many live streams: ${fault}, which is the limit. Close one, or try again in ${RETRY_AFTER_SECONDS.stream} s.`,
      RETRY_AFTER_SECONDS.stream,
    );
  }

  private count(name: string, by: 1 | -1): void {
    const count = (this.open.get(name) ?? 0) + by;
    if (count === 0) this.open.delete(name);
    else this.open.set(name, count);
    metrics.streams.set(this.size);
  }
}

/** Counts running exports. One API key or person always leaves one of them to others. */
@Injectable()
export class ExportLimits {
  private readonly owners: string[] = [];

  constructor(@Inject(READING_LIMITS) private readonly limits: ReadingLimits) {}

  get size(): number {
    return this.owners.length;
  }

  /** @returns a function to call once, when the export ends. @throws ProblemError 429 when too many are running. */
  acquire(principal: Principal): () => void {
    const owner = principalName(principal);
    const { exports } = this.limits;
    const perOwner = Math.max(1, exports - 1);
    const own = this.owners.filter((other) => other === owner).length;
    if (own >= perOwner) throw tooManyExports('exports_key', `${own} of yours are running`);
    if (this.size >= exports) throw tooManyExports('exports', `${exports} are running`);
    this.owners.push(owner);
    return () => void this.owners.splice(this.owners.indexOf(owner), 1);
  }
}

function tooManyExports(limit: string, fault: string): Error {
  refusedReads.inc({ limit });
  return tooManyRequests(
    `Too many exports: ${fault}, which is the limit. Try again in ${RETRY_AFTER_SECONDS.export} s.`,
    RETRY_AFTER_SECONDS.export,
  );
}
