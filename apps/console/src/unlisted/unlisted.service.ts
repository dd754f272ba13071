import { Injectable } from '@nestjs/common';
import { MAX_UNLISTED_GROUPS, UNLISTED_DIMENSION, type Unlisted, type UnlistedGroup } from '#libs/contracts';
import { DimensionsRepository, type GroupVisit, UnlistedRepository } from '#libs/visit-store';
import { NetworksService } from '../networks/networks.service.js';
import { SnapshotReader } from '../reading/snapshot-reader.js';
import { networkOf } from '../statistics/network.js';
import type { TimeRange } from '../statistics/time-range.js';
import { VisitsByName } from '../statistics/visit-counts.js';
import { pageOf } from '../statistics/visiting-agent.service.js';
import { countedGroups, type CountedGroup } from './counted-groups.js';
import { DismissedUserAgentsRepository } from './dismissed-user-agents.repository.js';

const MAX_NETWORKS = 3;
const MAX_PATHS = 3;

const sumOf = (groups: readonly CountedGroup[]): number => groups.reduce((sum, { visits }) => sum + visits, 0);

/** Lists unknown visitors that are probably programs, grouped by user agent. */
@Injectable()
export class UnlistedService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly dimensions: DimensionsRepository,
    private readonly unlisted: UnlistedRepository,
    private readonly dismissals: DismissedUserAgentsRepository,
    private readonly networks: NetworksService,
  ) {}

  /** @param verdicts verdicts of the visits to count. Null for all. */
  list(projectId: string, range: TimeRange, verdicts: readonly string[] | null): Promise<Unlisted> {
    return this.reading.read(async (snapshot) => {
      const counts = await this.dimensions.spans(snapshot, projectId, range, UNLISTED_DIMENSION);
      const { likely, unclear, others, groups } = countedGroups(counts, verdicts);
      const dismissed = new Set(await this.dismissals.groups(projectId));
      const open = groups.filter(({ group }) => !dismissed.has(group));
      const [shown, beyond] = [open.slice(0, MAX_UNLISTED_GROUPS), open.slice(MAX_UNLISTED_GROUPS)];
      const visits = await this.unlisted.newest(snapshot, projectId, range, shown);
      const byGroup = Map.groupBy(visits, ({ index }) => index);
      return {
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        likely,
        unclear,
        groups: shown.map((group, index) => this.describe(group, byGroup.get(index) ?? [])),
        other_groups: beyond.length,
        other_visits: others + sumOf(beyond),
        dismissed_visits: sumOf(groups) - sumOf(open),
        has_network_names: this.networks.hasOperators,
      };
    });
  }

  private describe(
    { group, visits, likely, signs, firstAt, lastAt }: CountedGroup,
    newest: GroupVisit[],
  ): UnlistedGroup {
    const [paths, networks] = [new VisitsByName(), new VisitsByName()];
    const ownerOf = new Map<string, UnlistedGroup['networks'][number]['client_network']>();
    for (const { path, client_address: address } of newest) {
      paths.add(pageOf(path));
      const owner = this.networks.find(address);
      const prefix = owner?.prefix ?? networkOf(address);
      if (prefix === null) continue;
      networks.add(prefix);
      ownerOf.set(prefix, owner);
    }
    return {
      user_agent_group: group,
      visits,
      likely,
      signs: [...signs],
      networks: networks.top(MAX_NETWORKS).map(([prefix]) => ({ prefix, client_network: ownerOf.get(prefix) ?? null })),
      paths: paths.top(MAX_PATHS).map(([path]) => path),
      first_seen_at: new Date(firstAt).toISOString(),
      last_seen_at: (newest[0]?.occurred_at ?? new Date(lastAt)).toISOString(),
    };
  }
}
