import { Injectable } from '@nestjs/common';
import { isProbedPath } from '#libs/agents';
import { MAX_UNLISTED_GROUPS, UNLISTED_DIMENSION, type Unlisted, type UnlistedGroup } from '#libs/contracts';
import { DimensionsRepository, type GroupVisit, UnlistedAgentsRepository } from '#libs/visit-store';
import { NetworksService } from '../networks/networks.service.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { getNetwork } from '../statistics/network.js';
import type { TimeRange } from '../statistics/time-range.js';
import { VisitsByName } from '../statistics/visit-counts.js';
import { stripQuery } from '../statistics/visiting-agent.service.js';
import { sumByGroup, type GroupCount } from './user-agent-groups.js';
import { DismissedUserAgentsRepository } from './dismissed-user-agents.repository.js';

const MAX_NETWORKS = 3;
const MAX_PATHS = 3;
/** Minimum share of a group's sampled visits that must look like a vulnerability scan. */
const MIN_PROBING_SHARE = 0.5;

const sumVisits = (groups: readonly GroupCount[]): number => groups.reduce((sum, { visits }) => sum + visits, 0);

/** Lists unknown visitors that are probably programs, grouped by user agent. */
@Injectable()
export class UnlistedService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly dimensions: DimensionsRepository,
    private readonly unlisted: UnlistedAgentsRepository,
    private readonly dismissals: DismissedUserAgentsRepository,
    private readonly networks: NetworksService,
  ) {}

  /** @param verdicts Verdicts of the visits to count, or null to count all visits. */
  list(projectId: string, range: TimeRange, verdicts: readonly string[] | null): Promise<Unlisted> {
    return this.reading.read(async (snapshot) => {
      const counts = await this.dimensions.spans(snapshot, projectId, range, UNLISTED_DIMENSION);
      const { likely, unclear, others, groups } = sumByGroup(counts, verdicts);
      const dismissed = new Set(await this.dismissals.listGroups(projectId));
      const visibleGroups = groups.filter(({ group }) => !dismissed.has(group));
      const [listedGroups, remainingGroups] = [
        visibleGroups.slice(0, MAX_UNLISTED_GROUPS),
        visibleGroups.slice(MAX_UNLISTED_GROUPS),
      ];
      const visits = await this.unlisted.newest(snapshot, projectId, range, listedGroups);
      const byGroup = Map.groupBy(visits, ({ index }) => index);
      return {
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        likely,
        unclear,
        groups: listedGroups.map((group, index) => this.toGroup(group, byGroup.get(index) ?? [])),
        other_groups: remainingGroups.length,
        other_visits: others + sumVisits(remainingGroups),
        dismissed_visits: sumVisits(groups) - sumVisits(visibleGroups),
        has_network_names: this.networks.hasOperators,
      };
    });
  }

  private toGroup({ group, visits, likely, signs, firstAt, lastAt }: GroupCount, newest: GroupVisit[]): UnlistedGroup {
    const [paths, networks] = [new VisitsByName(), new VisitsByName()];
    const probing = newest.filter(({ path }) => isProbedPath(stripQuery(path)));
    const probedPaths = new VisitsByName();
    for (const { path } of probing) probedPaths.add(stripQuery(path));
    const ownersByPrefix = new Map<string, UnlistedGroup['networks'][number]['client_network']>();
    for (const { path, client_address: address } of newest) {
      paths.add(stripQuery(path));
      const owner = this.networks.find(address);
      const prefix = owner?.prefix ?? getNetwork(address);
      if (prefix === null) continue;
      networks.add(prefix);
      ownersByPrefix.set(prefix, owner);
    }
    return {
      user_agent_group: group,
      visits,
      likely,
      signs: [...signs],
      networks: networks
        .top(MAX_NETWORKS)
        .map(([prefix]) => ({ prefix, client_network: ownersByPrefix.get(prefix) ?? null })),
      paths: paths.top(MAX_PATHS).map(([path]) => path),
      probed_paths:
        probing.length >= MIN_PROBING_SHARE * newest.length ? probedPaths.top(MAX_PATHS).map(([path]) => path) : [],
      first_seen_at: new Date(firstAt).toISOString(),
      last_seen_at: (newest[0]?.occurred_at ?? new Date(lastAt)).toISOString(),
    };
  }
}
