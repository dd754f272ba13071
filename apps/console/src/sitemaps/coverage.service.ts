import { Injectable } from '@nestjs/common';
import type { Coverage, CoveredPage } from '#libs/contracts';
import { CoverageRepository, type CoveredPagesQuery, type Snapshot } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentNamesRepository, type AgentNames } from '../statistics/agent-names.repository.js';
import { getPurpose } from '../statistics/crawl-purpose.js';

const TIMEOUT_DETAIL = 'Counting the pages took too long. Try again in a moment.';

@Injectable()
export class CoverageService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly coverage: CoverageRepository,
    private readonly names: AgentNamesRepository,
  ) {}

  /**
   * @param patterns Path patterns to group pages by, or null to group them by folder.
   * @param now Milliseconds since the epoch.
   */
  report(projectId: string, patterns: readonly string[] | null, now: number): Promise<Coverage> {
    return this.read(async (snapshot) => {
      const state = await this.coverage.readState(snapshot, projectId, now);
      const folders = await this.coverage.countFolders(snapshot, projectId, patterns);
      const counts = await this.coverage.countFetches(snapshot, projectId, patterns);
      const ids = counts.agents.flatMap(({ agent_id: id }) => id ?? []);
      const nameOf = await this.names.find(snapshot, projectId, ids);
      const agents = counts.agents.map((agent) => ({ ...agent, ...describeAgent(agent.agent_id, nameOf) }));
      const purposes = new Map(agents.map(({ agent_id: id, purpose }) => [id, purpose]));
      const byFolder = Map.groupBy(counts.folders, ({ folder }) => folder);
      return {
        ...state,
        sitemaps_checked_at: state.sitemaps_checked_at?.toISOString() ?? null,
        counted_at: state.counted_at?.toISOString() ?? null,
        last_visit_at: state.last_visit_at?.toISOString() ?? null,
        agents: agents.map((agent) => ({
          agent_id: agent.agent_id,
          agent_token: agent.agent_token,
          agent_type_name: agent.agent_type_name,
          operator_name: agent.operator_name,
          purpose: agent.purpose,
          fetched: agent.fetched,
          unlisted: agent.unlisted,
          fetches: agent.fetches,
          redirects: agent.redirects,
          client_errors: agent.client_errors,
          server_errors: agent.server_errors,
          with_query: agent.with_query,
          repeats: agent.repeats,
          listed_redirects: agent.listed_redirects,
          listed_errors: agent.listed_errors,
          last_fetch_at: agent.last_fetch_at.toISOString(),
          days_to_first_fetch: agent.days_to_first_fetch,
        })),
        purposes: await this.coverage.countPurposes(snapshot, projectId, purposes, now),
        folders: folders.map(({ folder, pages }) => ({
          folder,
          pages,
          agents: (byFolder.get(folder) ?? []).map((one) => ({
            agent_id: one.agent_id,
            fetched: one.fetched,
            last_fetch_at: one.last_fetch_at.toISOString(),
          })),
        })),
      };
    });
  }

  listPages(projectId: string, query: CoveredPagesQuery): Promise<CoveredPage[]> {
    return this.read(async (snapshot) => {
      const rows = await this.coverage.listPages(snapshot, projectId, query);
      return rows.map((row) => ({
        ...row,
        first_seen_at: row.first_seen_at?.toISOString() ?? null,
        last_modified: row.last_modified?.toISOString() ?? null,
        first_fetch_at: row.first_fetch_at?.toISOString() ?? null,
        last_fetch_at: row.last_fetch_at?.toISOString() ?? null,
      }));
    });
  }

  private read<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.reading.read(work, { timeoutDetail: TIMEOUT_DETAIL });
  }
}

function describeAgent(id: string | null, nameOf: (id: string) => AgentNames) {
  const names = id === null ? null : nameOf(id);
  return {
    agent_id: id,
    agent_token: names?.agent_token ?? null,
    agent_type_name: names?.agent_type_name ?? null,
    operator_name: names?.operator_name ?? null,
    purpose: getPurpose(names?.agent_type_name ?? null),
  };
}
