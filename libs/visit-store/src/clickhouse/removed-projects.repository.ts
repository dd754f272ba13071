import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RemovedProjectsRepository, tryLockProject } from '../removed-projects.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { alterPartitions, findPartitions, removeDeletedRows } from './visit-partitions.js';

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

  /** Does nothing if another process is deleting the project's visits. */
  protected override async *deleteVisits(project: string): AsyncGenerator<void> {
    yield;
    await this.batches.insertPending(0, [project]);
    await this.dataSource.transaction(async (transaction) => {
      if (!(await tryLockProject(transaction, project))) return;
      const find = () => findPartitions(this.clickhouse, IS_OF_PROJECT, { project });
      const deleteRows = (name: string): string => `DELETE ${name} WHERE ${IS_OF_PROJECT}`;
      await alterPartitions(this.clickhouse, await find(), deleteRows, { project });
      // Earlier versions of re-identified visits.
      await removeDeletedRows(this.clickhouse, await find());
    });
  }
}
