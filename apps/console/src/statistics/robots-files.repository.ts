import { Inject, Injectable } from '@nestjs/common';
import { READ_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';

@Injectable()
export class RobotsFilesRepository {
  constructor(@Inject(READ_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * Returns whether this instance got a robots.txt with at least one user agent in its last fetch from each of the
   * project's hosts that responded with a file. False if none did.
   */
  async areValid(projectId: string): Promise<boolean> {
    const [row]: [{ are_valid: boolean | null }] = await this.dataSource.query(
      `SELECT bool_and(text ~* '(^\\uFEFF?|[\\n\\r])[ \\t]*user-agent[ \\t]*:') AS are_valid
       FROM robots_hosts JOIN robots_texts USING (digest) WHERE project_id = $1 AND fault IS NULL`,
      [projectId],
    );
    return row.are_valid ?? false;
  }
}
