import { Injectable } from '@nestjs/common';
import type { NewsItem } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import { NewsRepository } from '#libs/visit-store';
import { SnapshotReader } from '../../reads/snapshot-reader.js';
import type { TimeRange } from '../time-range.js';
import { findImpersonations, insertImpersonations, toImpersonationItem } from './merge-impersonations.js';

/** Timeout for each query. */
const TIMEOUT_MS = 1_500;

/** Combines news about networks that claimed to be agents of several operators. */
@Injectable()
export class ImpersonationsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly stored: NewsRepository,
  ) {}

  /** Adds an item for each such network. Returns the news unchanged if counting visits takes too long. */
  async addTo(
    items: NewsItem[],
    projectId: string,
    { range, previous }: { range: TimeRange; previous: TimeRange },
  ): Promise<NewsItem[]> {
    const impersonations = findImpersonations(items);
    if (impersonations.length === 0) return items;
    try {
      return await this.reading.read(
        async (snapshot) => {
          const counted = [];
          for (const impersonation of impersonations) {
            const agentIds = [...new Set(impersonation.claims.map(({ agent_id: id }) => id))];
            const count = (counts: TimeRange) =>
              this.stored.countClaims(snapshot, projectId, { agentIds, network: impersonation.network, range: counts });
            const item = toImpersonationItem(impersonation, await count(range), await count(previous));
            counted.push({ ...impersonation, item });
          }
          return insertImpersonations(items, counted);
        },
        { timeoutMs: TIMEOUT_MS },
      );
    } catch (error) {
      if (!(error instanceof ProblemError) || error.type !== 'deadline-exceeded') throw error;
      return items;
    }
  }
}
