import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { KEPT_REFUSED_REQUESTS } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { type Refusal, RefusalsRepository } from './refusals.repository.js';

/** Milliseconds between two writes. */
const WRITE_INTERVAL_MS = 1_000;
/** Of one write: projects, and refusals that belong to none. The newest of each project are kept anyway. */
const MAX_PROJECTS = 20;
const MAX_UNKNOWN = 20;

const left = new Counter({
  name: 'agent_traffic_gateway_refusals_not_listed_total',
  help: 'Refused requests that the dashboard does not list',
});

/**
 * Collects what was refused, for the site's owner to see, and writes it a second later: equal ones as one, and never
 * more than a few rows, whatever arrives. Nothing waits for it; while PostgreSQL is away it is lost, which is fine for
 * what only helps to set things up.
 */
@Injectable()
export class RefusalsService implements BeforeApplicationShutdown {
  /** By project ('' for none), then by what makes them equal. */
  private waiting = new Map<string, Map<string, Refusal>>();
  private readonly timer: NodeJS.Timeout;
  private isWriting = false;

  constructor(
    private readonly repository: RefusalsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS);
    this.timer.unref();
  }

  add(refusal: Omit<Refusal, 'at' | 'times'>): void {
    const { projectId, tokenId, method, path, status, detail, pointer, clientAddress } = refusal;
    const group = this.group(projectId);
    if (group === null) return void left.inc();
    const key = [tokenId, method, path, status, pointer, detail, clientAddress].join('\n');
    const times = group.get(key)?.times ?? 0;
    // To the end, as the newest.
    group.delete(key);
    group.set(key, { ...refusal, at: performance.now(), times: times + 1 });
    if (group.size <= (projectId === null ? MAX_UNKNOWN : KEPT_REFUSED_REQUESTS.project)) return;
    const [oldest] = group;
    group.delete(oldest![0]);
    left.inc(oldest![1].times);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  private group(projectId: string | null): Map<string, Refusal> | null {
    const id = projectId ?? '';
    const known = this.waiting.get(id);
    if (known !== undefined) return known;
    // Those without a project never take the place of a project's.
    if (id !== '' && this.waiting.size >= MAX_PROJECTS) return null;
    const group = new Map<string, Refusal>();
    this.waiting.set(id, group);
    return group;
  }

  private async write(): Promise<void> {
    if (this.isWriting || this.waiting.size === 0) return;
    const refusals = [...this.waiting.values()].flatMap((group) => [...group.values()]);
    this.waiting = new Map();
    this.isWriting = true;
    try {
      await this.repository.save(refusals);
    } catch (error) {
      left.inc(refusals.reduce((sum, { times }) => sum + times, 0));
      this.logger.debug({ err: error }, 'refused requests are not listed');
    } finally {
      this.isWriting = false;
    }
  }
}
