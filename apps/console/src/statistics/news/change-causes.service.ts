import { Injectable } from '@nestjs/common';
import type { ChangeCause } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import { type ChangePart, NewsRepository, type Snapshot } from '#libs/visit-store';
import { SnapshotReader } from '../../reads/snapshot-reader.js';
import type { TimeRange } from '../time-range.js';
import { explainChange } from './explain-change.js';

/** Timeout for each query. */
const TIMEOUT_MS = 1_500;

interface Change {
  agentId: string;
  visits: number;
  previousVisits: number;
  range: TimeRange;
  previous: TimeRange;
  /** True if the numbers include visits that failed verification. */
  hasSpoofed: boolean;
}

/** Explains why an agent visits more or less often than before. */
@Injectable()
export class ChangeCausesService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly stored: NewsRepository,
  ) {}

  /**
   * Returns causes by agent ID. Pages shouldn't fail for lack of causes, so if a query times out, this agent and the
   * remaining ones have none.
   */
  async findAll(projectId: string, changes: readonly Change[]): Promise<Map<string, ChangeCause[] | null>> {
    const causes = new Map<string, ChangeCause[] | null>();
    const findCauses = async (snapshot: Snapshot): Promise<void> => {
      for (const change of changes) causes.set(change.agentId, await this.find(snapshot, projectId, change));
    };
    try {
      await this.reading.read(findCauses, { timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.type !== 'deadline-exceeded') throw error;
    }
    return causes;
  }

  /** Returns null if there are too many visits to read, or if some of them are no longer stored. */
  async find(
    snapshot: Snapshot,
    projectId: string,
    { agentId, visits, previousVisits, ...ranges }: Change,
  ): Promise<ChangeCause[] | null> {
    if (Math.max(visits, previousVisits) > this.stored.maxErrors) return null;
    const parts = await this.stored.findChangeParts(snapshot, projectId, agentId, ranges);
    const isStored = countStored(parts, 'visits') >= visits && countStored(parts, 'previous_visits') >= previousVisits;
    return isStored ? explainChange(parts) : null;
  }
}

/** Returns the number of visits in a range that are still stored. Each visit has exactly one result. */
const countStored = (parts: readonly ChangePart[], range: 'visits' | 'previous_visits'): number =>
  parts.reduce((sum, part) => (part.dimension === 'result' ? sum + part[range] : sum), 0);
