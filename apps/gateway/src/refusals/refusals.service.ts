import { Inject, Injectable } from '@nestjs/common';
import { MAX_REFUSED_REQUESTS } from '#libs/contracts';
import { BufferedWriter, LOGGER, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { type Refusal, RefusalsRepository } from './refusals.repository.js';

/**
 * Maximum number of projects, and of refusals without a project, per write. The newest refusals of each project are
 * kept anyway.
 */
const MAX_PROJECTS = 20;
const MAX_UNKNOWN = 20;

const left = new Counter({
  name: 'agent_traffic_gateway_refusals_not_listed_total',
  help: 'Refused requests missing in the dashboard',
});

/** Refusals by project ID (empty if unknown), then by the fields that identical ones share. */
type RefusalGroups = ReadonlyMap<string, Map<string, Refusal>>;

/**
 * Records rejected requests for the site's owner. Identical requests share a row, and each write is limited to a few
 * rows.
 */
@Injectable()
export class RefusalsService extends BufferedWriter<Map<string, Refusal>> {
  constructor(
    private readonly repository: RefusalsRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, 'refused requests are not listed');
  }

  add(refusal: Omit<Refusal, 'at' | 'times'>): void {
    const { projectId, tokenId, method, path, status, detail, pointer, clientAddress } = refusal;
    const group = this.group(projectId);
    if (group === null) return void left.inc();
    const key = [tokenId, method, path, status, pointer, detail, clientAddress].join('\n');
    const times = group.get(key)?.times ?? 0;
    // Move it to the end, as the newest.
    group.delete(key);
    group.set(key, { ...refusal, at: performance.now(), times: times + 1 });
    if (group.size <= (projectId === null ? MAX_UNKNOWN : MAX_REFUSED_REQUESTS.project)) return;
    const [oldest] = group;
    group.delete(oldest![0]);
    left.inc(oldest![1].times);
  }

  private group(projectId: string | null): Map<string, Refusal> | null {
    const id = projectId ?? '';
    const known = this.waiting.get(id);
    if (known !== undefined) return known;
    // Refusals without a project are exempt from this limit.
    if (id !== '' && this.waiting.size >= MAX_PROJECTS) return null;
    const group = new Map<string, Refusal>();
    this.waiting.set(id, group);
    return group;
  }

  protected write(groups: RefusalGroups): Promise<void> {
    return this.repository.save(refusalsOf(groups));
  }

  protected override lost(groups: RefusalGroups): void {
    left.inc(refusalsOf(groups).reduce((sum, { times }) => sum + times, 0));
  }
}

const refusalsOf = (groups: RefusalGroups): Refusal[] => [...groups.values()].flatMap((group) => [...group.values()]);
