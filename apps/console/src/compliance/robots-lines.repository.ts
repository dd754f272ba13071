import { Inject, Injectable } from '@nestjs/common';
import { MAX_LISTED_LINE_LENGTH } from '#libs/contracts';
import { READ_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';

/** A line in a robots.txt version. Lines are numbered from 1. */
interface RobotsLine {
  version: string;
  line: number;
}

@Injectable()
export class RobotsLinesRepository {
  constructor(@Inject(READ_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * Returns the texts of the lines, in the given order. A text is null if its version no longer exists. PostgreSQL
   * extracts the lines, because a file can have half a million of them. It splits each file only once.
   */
  async find(projectId: string, lines: readonly RobotsLine[]): Promise<(string | null)[]> {
    if (lines.length === 0) return [];
    const rows: { text: string | null }[] = await this.dataSource.query(
      // Splits the text at the same line endings as libs/robots (RFC 9309, section 2.2), so that line numbers match.
      `WITH wanted AS MATERIALIZED (
         SELECT * FROM unnest($2::uuid[], $3::integer[]) WITH ORDINALITY AS l (version, line, number)
       ), lines AS (
         SELECT v.id AS version, l.line, left(l.text, ${MAX_LISTED_LINE_LENGTH}) AS text
         FROM robots_versions v JOIN robots_texts t USING (digest), LATERAL unnest(
           string_to_array(replace(replace(t.text, E'\\r\\n', E'\\n'), E'\\r', E'\\n'), E'\\n')
         ) WITH ORDINALITY AS l (text, line)
         WHERE v.project_id = $1 AND v.id IN (SELECT version FROM wanted)
       )
       SELECT text FROM wanted LEFT JOIN lines USING (version, line) ORDER BY number`,
      [projectId, lines.map(({ version }) => version), lines.map(({ line }) => line)],
    );
    return rows.map(({ text }) => text && text.trim());
  }
}
