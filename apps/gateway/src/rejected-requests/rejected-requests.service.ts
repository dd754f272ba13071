import { Inject, Injectable } from '@nestjs/common';
import { MAX_REJECTED_REQUESTS } from '#libs/contracts';
import { BufferedWriter, LOGGER, type Logger } from '#libs/platform';
import { Counter } from 'prom-client';
import { type RejectedRequest, RejectedRequestsRepository } from './rejected-requests.repository.js';

/**
 * Maximum number of projects per write, and maximum number of rejected requests that don't belong to a project.
 * Requests that belong to a project have a separate limit.
 */
const MAX_PROJECTS = 20;
const MAX_WITHOUT_PROJECT = 20;

const unlisted = new Counter({
  name: 'agent_traffic_gateway_refusals_not_listed_total',
  help: 'Rejected requests that are missing from the dashboard',
});

/** Rejected requests by project ID (empty if unknown), then by the fields that identical requests share. */
type RequestGroups = ReadonlyMap<string, Map<string, RejectedRequest>>;

/**
 * Records rejected requests so site owners can fix their setup. Identical requests share a row, and the number of rows
 * per write is limited.
 */
@Injectable()
export class RejectedRequestsService extends BufferedWriter<Map<string, RejectedRequest>> {
  constructor(
    private readonly repository: RejectedRequestsRepository,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger, 'could not save rejected requests');
  }

  add(refusal: Omit<RejectedRequest, 'at' | 'times'>): void {
    const { projectId, tokenId, method, path, status, detail, pointer, clientAddress } = refusal;
    const group = this.group(projectId);
    if (group === null) return void unlisted.inc();
    const key = [tokenId, method, path, status, pointer, detail, clientAddress].join('\n');
    const times = group.get(key)?.times ?? 0;
    // Move the entry to the end, because maps iterate in insertion order and the oldest entry is dropped first.
    group.delete(key);
    group.set(key, { ...refusal, at: performance.now(), times: times + 1 });
    if (group.size <= (projectId === null ? MAX_WITHOUT_PROJECT : MAX_REJECTED_REQUESTS.project)) return;
    const [oldest] = group;
    group.delete(oldest![0]);
    unlisted.inc(oldest![1].times);
  }

  private group(projectId: string | null): Map<string, RejectedRequest> | null {
    const id = projectId ?? '';
    const existing = this.buffered.get(id);
    if (existing !== undefined) return existing;
    // The limit on projects doesn't apply to requests without a project, because they have a separate limit.
    if (id !== '' && this.buffered.size >= MAX_PROJECTS) return null;
    const group = new Map<string, RejectedRequest>();
    this.buffered.set(id, group);
    return group;
  }

  protected write(groups: RequestGroups): Promise<void> {
    return this.repository.save(flatten(groups));
  }

  protected override onLoss(groups: RequestGroups): void {
    unlisted.inc(flatten(groups).reduce((sum, { times }) => sum + times, 0));
  }
}

const flatten = (groups: RequestGroups): RejectedRequest[] =>
  [...groups.values()].flatMap((group) => [...group.values()]);
