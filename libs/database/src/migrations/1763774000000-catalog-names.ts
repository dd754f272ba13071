import type { MigrationInterface, QueryRunner } from 'typeorm';

/** American spelling of the catalog's names: a table, a column, and the last member of every stored visit. */
export class CatalogNames1763774000000 implements MigrationInterface {
  name = 'CatalogNames1763774000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE catalogue_state RENAME TO catalog_state`);
    await runner.query(`ALTER TABLE rules_versions RENAME COLUMN catalogue_version TO catalog_version`);
    await renameInVisits(runner, 'catalogue_version', 'catalog_version');
  }

  async down(runner: QueryRunner): Promise<void> {
    await renameInVisits(runner, 'catalog_version', 'catalogue_version');
    await runner.query(`ALTER TABLE rules_versions RENAME COLUMN catalog_version TO catalogue_version`);
    await runner.query(`ALTER TABLE catalog_state RENAME TO catalogue_state`);
  }
}

/** The end of the text tells the member from one of a visit's own that has the same name. */
async function renameInVisits(runner: QueryRunner, from: string, to: string): Promise<void> {
  await runner.query(
    `UPDATE visits SET document = regexp_replace(document::text, $1, $2)::json WHERE document::text ~ $1`,
    [`"${from}":("[^"]*"\\}\\})$`, `"${to}":\\1`],
  );
}
