import { Inject, Injectable } from '@nestjs/common';
import { tooManyRequests } from '#libs/platform';
import { Gauge } from 'prom-client';
import { principalName, type Principal } from '../access/principal.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { rejectedReads } from '../reads/rejected-reads.js';

/**
 * Seconds after which clients should retry. Higher for streams, because they last until people close a page, whereas
 * exports usually end within minutes.
 */
const RETRY_AFTER_SECONDS = { stream: 30, export: 10 };

const metrics = {
  streams: new Gauge({ name: 'agent_traffic_console_streams', help: 'Open live streams' }),
};

/** Limits open streams per caller, per project, and in total. */
@Injectable()
export class StreamLimits {
  private readonly openCounts = new Map<string, number>();

  constructor(
    @Inject(CONSOLE_SETTINGS)
    private readonly settings: Pick<ConsoleSettings, 'MAX_STREAMS' | 'MAX_STREAMS_PER_KEY' | 'MAX_STREAMS_PER_PROJECT'>,
  ) {}

  /**
   * @returns A function to call when the stream ends.
   * @throws {ProblemError} 429 if too many streams are open.
   */
  acquire(principal: Principal, projectId: string): () => void {
    const { keyId } = principal;
    const owner = principalName(principal);
    const {
      MAX_STREAMS: streams,
      MAX_STREAMS_PER_KEY: streamsPerKey,
      MAX_STREAMS_PER_PROJECT: streamsPerProject,
    } = this.settings;
    const subject = keyId === null ? 'you have' : 'this API key has';
    this.rejectIfFull(owner, streamsPerKey, 'key', `${subject} ${streamsPerKey} live streams open`);
    this.rejectIfFull(
      projectId,
      streamsPerProject,
      'project',
      `the project has ${streamsPerProject} live streams open`,
    );
    this.rejectIfFull('all', streams, 'process', `this instance has ${streams} live streams open`);
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
    return this.openCounts.get('all') ?? 0;
  }

  private rejectIfFull(name: string, limit: number, label: string, detail: string): void {
    if ((this.openCounts.get(name) ?? 0) < limit) return;
    rejectedReads.inc({ limit: `streams_${label}` });
    throw tooManyRequests(
      `Too many live streams: ${detail}, which is the limit. Close one, or try again in ${RETRY_AFTER_SECONDS.stream} s.`,
      RETRY_AFTER_SECONDS.stream,
    );
  }

  private count(name: string, by: 1 | -1): void {
    const count = (this.openCounts.get(name) ?? 0) + by;
    if (count === 0) this.openCounts.delete(name);
    else this.openCounts.set(name, count);
    metrics.streams.set(this.size);
  }
}

/**
 * Limits concurrent exports. If several are allowed at a time, no single API key or person can take up all of the
 * slots.
 */
@Injectable()
export class ExportLimiter {
  private readonly owners: string[] = [];

  constructor(@Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'MAX_EXPORTS'>) {}

  get size(): number {
    return this.owners.length;
  }

  /**
   * @returns A function to call exactly once, when the export ends.
   * @throws {ProblemError} 429 if too many exports are running.
   */
  acquire(principal: Principal): () => void {
    const owner = principalName(principal);
    const { MAX_EXPORTS: maxExports } = this.settings;
    const maxPerOwner = Math.max(1, maxExports - 1);
    const ownCount = this.owners.filter((other) => other === owner).length;
    if (ownCount >= maxPerOwner) throw createTooManyExportsError('exports_key', `you already have ${ownCount} running`);
    if (this.size >= maxExports)
      throw createTooManyExportsError('exports', `this instance already has ${maxExports} running`);
    this.owners.push(owner);
    return () => void this.owners.splice(this.owners.indexOf(owner), 1);
  }
}

function createTooManyExportsError(limit: string, detail: string): Error {
  rejectedReads.inc({ limit });
  return tooManyRequests(
    `Too many exports: ${detail}, which is the limit. Try again in ${RETRY_AFTER_SECONDS.export} s.`,
    RETRY_AFTER_SECONDS.export,
  );
}
