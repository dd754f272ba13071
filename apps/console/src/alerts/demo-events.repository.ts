import { Injectable } from '@nestjs/common';
import { executeAndCount } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';

/** Finds the demo project whose alerts have no history yet. */
@Injectable()
export class DemoEventsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the project ID and the time when all its visits were published, or null if nothing is due. */
  async findDue(): Promise<{ projectId: string; loadedAt: Date } | null> {
    const [row]: { projectId: string; loadedAt: Date }[] = await this.dataSource.query(
      `SELECT project_id AS "projectId", updated_at AS "loadedAt" FROM demo_loads WHERE done = 1 AND NOT has_past_alerts`,
    );
    return row ?? null;
  }

  /**
   * Records the history, unless another process has already done so.
   *
   * @param record Stores the events in the transaction.
   */
  async record(projectId: string, record: (transaction: EntityManager) => Promise<void>): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const updated = await executeAndCount(
        transaction,
        `UPDATE demo_loads SET has_past_alerts = true WHERE project_id = $1 AND NOT has_past_alerts`,
        [projectId],
      );
      if (updated > 0) await record(transaction);
    });
  }
}
