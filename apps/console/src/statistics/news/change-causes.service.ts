import { Injectable } from '@nestjs/common';
import type { ChangeCause } from '#libs/contracts';
import { type ChangePart, NewsRepository, type Snapshot } from '#libs/visit-store';
import type { TimeRange } from '../time-range.js';
import { explainChange } from './explain-change.js';

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
  constructor(private readonly stored: NewsRepository) {}

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
