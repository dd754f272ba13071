import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCOUNTS } from './baseline/accounts.js';
import { ALERTS } from './baseline/alerts.js';
import { AUDIT_LOG, AUDITED_TABLES } from './baseline/audit-log.js';
import { CATALOG } from './baseline/catalog.js';
import { COUNTS } from './baseline/counts.js';
import { COVERAGE } from './baseline/coverage.js';
import { INSTANCE } from './baseline/instance.js';
import { PROJECTS } from './baseline/projects.js';
import { RECEPTION } from './baseline/reception.js';
import { ROBOTS } from './baseline/robots.js';
import { VISITS } from './baseline/visits.js';
import { auditTable } from './audited-table.js';

/** Creates the schema for the first release. Requires PostgreSQL 15 or later. */
export class Baseline1764000000000 implements MigrationInterface {
  name = 'Baseline1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    // The order matters because foreign keys require the referenced tables to exist.
    for (const area of [
      INSTANCE,
      ACCOUNTS,
      PROJECTS,
      CATALOG,
      RECEPTION,
      VISITS,
      COUNTS,
      ROBOTS,
      COVERAGE,
      ALERTS,
      AUDIT_LOG,
    ]) {
      await runner.query(area);
    }
    for (const table of AUDITED_TABLES) await auditTable(runner, table);
  }

  async down(): Promise<void> {
    throw new Error('The first migration cannot be reverted. Drop the database instead.');
  }
}
