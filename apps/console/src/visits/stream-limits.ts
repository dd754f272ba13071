import { Inject, Injectable } from '@nestjs/common';
import { tooManyRequests } from '#libs/platform';
import { Gauge } from 'prom-client';
import { principalName, type Principal } from '../access/principal.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { refusedReads } from '../reading/refused-reads.js';

/** Streams end when people close a page. Exports usually end within minutes. */
const RETRY_AFTER_SECONDS = { stream: 30, export: 10 };

const metrics = {
  streams: new Gauge({ name: 'agent_traffic_console_streams', help: 'Open live streams' }),
};

/** Limits open streams per caller, per project, and in total. */
@Injectable()
export class StreamLimits {
  private readonly open = new Map<string, number>();

  constructor(
    @Inject(CONSOLE_SETTINGS)
    private readonly settings: Pick<ConsoleSettings, 'MAX_STREAMS' | 'MAX_STREAMS_PER_KEY' | 'MAX_STREAMS_PER_PROJECT'>,
  ) {}

  /** @returns a function to call when the stream ends. @throws ProblemError 429 if too many are open. */
  acquire(principal: Principal, projectId: string): () => void {
    const { keyId } = principal;
    const owner = principalName(principal);
    const {
      MAX_STREAMS: streams,
      MAX_STREAMS_PER_KEY: streamsPerKey,
      MAX_STREAMS_PER_PROJECT: streamsPerProject,
    } = this.settings;
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

/** Limits running exports. If more than one is allowed, a single API key or person can't use all of them. */
@Injectable()
export class ExportLimits {
  private readonly owners: string[] = [];

  constructor(@Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'MAX_EXPORTS'>) {}

  get size(): number {
    return this.owners.length;
  }

  /**
   * @returns a function to call exactly once, when the export ends.
   * @throws ProblemError 429 if too many are running.
   */
  acquire(principal: Principal): () => void {
    const owner = principalName(principal);
    const { MAX_EXPORTS: exports } = this.settings;
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
