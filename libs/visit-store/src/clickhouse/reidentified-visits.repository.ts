import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS } from '#libs/database';
import type { EntityManager } from 'typeorm';
import { CheckoutsRepository } from '../checkouts.repository.js';
import { MovedCountsRepository } from '../moved-counts.repository.js';
import type { PublicOf } from '../public-of.js';
import {
  recordChanges,
  type ChangedRow,
  type PreparedChange,
  type ReidentifiedVisitsRepository,
} from '../reidentified-visits.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { daysOf } from './visit-ids.js';
import { startLine } from './visits-table.js';

interface Position {
  shard: number;
  number: number;
}

@Injectable()
export class ClickHouseReidentifiedVisitsRepository implements PublicOf<ReidentifiedVisitsRepository> {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly batches: BatchesRepository,
    private readonly counts: MovedCountsRepository,
    private readonly checkouts: CheckoutsRepository,
  ) {}

  /** Serializes the visits. The text of a document is the beginning of the visit's line in a batch. */
  async prepare(changes: readonly ChangedRow[]): Promise<PreparedChange[]> {
    return changes.map((change) => ({ ...change, document: { text: startLine(change.after), form: null } }));
  }

  /**
   * Records changes to a project's visits, and updates counts and checkouts. Skips visits that have been deleted.
   * `BatchesRepository.insertReplacements` stores the visits after the commit.
   */
  async store(transaction: EntityManager, changes: readonly PreparedChange[]): Promise<ChangedRow[]> {
    await transaction.query(`SELECT pg_advisory_xact_lock_shared($1)`, [ADVISORY_LOCKS.visitErasure]);
    // Visits that are being erased are deleted first.
    const { projectId } = changes[0]!.before;
    await this.batches.insertReplacements([projectId], transaction);
    const positions = await this.findPositions(changes);
    const found = changes.filter(({ before }) => positions.has(before.id));
    if (found.length === 0) return [];
    await this.counts.move(transaction, found);
    await this.checkouts.reassignAgents(transaction, found);
    await recordChanges(transaction, found);
    const ids = found.map(({ before }) => before.id);
    const visits = found.map(({ before, document }) => ({ position: positions.get(before.id)!, line: document.text }));
    await this.batches.replace(transaction, [projectId], ids, visits);
    return found;
  }

  /** Returns the positions of the visits that still exist. */
  private async findPositions(changes: readonly ChangedRow[]): Promise<Map<string, Position>> {
    const ids = changes.map(({ before }) => before.id);
    const times = changes.map(({ before }) => before.occurredAt);
    const rows = await this.clickhouse.query<Position & { id: string }>(
      `SELECT id, shard, number FROM ${this.clickhouse.visits}
       WHERE project_id = {project:UUID} AND day IN {days:Array(Date)} AND id IN {ids:Array(UUID)}
         AND occurred_at BETWEEN {first:Int64} AND {last:Int64}`,
      {
        project: changes[0]!.before.projectId,
        days: daysOf(ids),
        ids,
        first: Math.min(...times),
        last: Math.max(...times),
      },
    );
    return new Map(rows.map(({ id, ...position }) => [id, position]));
  }
}
