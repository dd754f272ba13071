import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

@Injectable()
export class ProjectRemovalRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Removes a project with its settings and tokens. Ingest then deletes its visits.
   *
   * @returns SHA-256 of its tokens, hex; null when there is no such project.
   */
  async remove(id: string): Promise<string[] | null> {
    return this.dataSource.transaction(async (transaction) => {
      const tokens: { hash: string }[] = await transaction.query(
        `SELECT encode(hash, 'hex') AS hash FROM access_tokens WHERE project_id = $1`,
        [id],
      );
      const [, removed]: [unknown[], number] = await transaction.query(`DELETE FROM projects WHERE id = $1`, [id]);
      if (removed === 0) return null;
      await transaction.query(`INSERT INTO removed_projects (project_id) VALUES ($1)`, [id]);
      await transaction.query(
        `UPDATE api_keys SET project_ids = array_remove(project_ids, $1::uuid) WHERE $1::uuid = ANY (project_ids)`,
        [id],
      );
      return tokens.map(({ hash }) => hash);
    });
  }
}
