import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RemovedProjectsRepository, tryLockProject } from '../removed-projects.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import {
  alterPartition,
  findPartitions,
  IN_PARTITION,
  removeDeletedRows,
  type VisitPartition,
} from './visit-partitions.js';

const IS_OF_PROJECT = 'project_id = {project:UUID}';

@Injectable()
export class ClickHouseRemovedProjectsRepository extends RemovedProjectsRepository {
  constructor(
    dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
    private readonly batches: BatchesRepository,
  ) {
    super(dataSource);
  }

  protected override async *deleteVisits(projectId: string): AsyncGenerator<void> {
    await this.batches.insertPending();
    for (const partition of await findPartitions(this.clickhouse, IS_OF_PROJECT, { project: projectId })) {
      yield;
      await this.deletePartition(projectId, partition);
    }
  }

  /** Does nothing if another process is deleting the project's visits. */
  private async deletePartition(project: string, partition: VisitPartition): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      if (!(await tryLockProject(transaction, project))) return;
      const deleteRows = (name: string): string => `DELETE ${name} WHERE ${IS_OF_PROJECT}`;
      await alterPartition(this.clickhouse, partition, deleteRows, { project });
      const remaining = await findPartitions(this.clickhouse, `${IS_OF_PROJECT} AND ${IN_PARTITION}`, {
        project,
        ...partition,
      });
      // Earlier versions of re-identified visits.
      if (remaining.length > 0) await removeDeletedRows(this.clickhouse, partition);
    });
  }
}
