import { Inject, Injectable } from '@nestjs/common';
import { MAX_LISTED_LINE_LENGTH } from '#libs/contracts';
import { READING_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';

/** A line of a version of robots.txt, counted from 1. */
interface RobotsLine {
  version: string;
  line: number;
}

/** Reads lines of versions of robots.txt. */
@Injectable()
export class RobotsLinesRepository {
  constructor(@Inject(READING_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * The texts of lines of robots.txt, in their order; null where the version is gone. PostgreSQL takes them out: a file can have
   * half a million lines.
   */
  async find(projectId: string, lines: readonly RobotsLine[]): Promise<(string | null)[]> {
    if (lines.length === 0) return [];
    const rows: { text: string | null }[] = await this.dataSource.query(
      // Lines end as libs/robots has it (RFC 9309 section 2.2).
      `SELECT left(split_part(replace(replace(t.text, E'\\r\\n', E'\\n'), E'\\r', E'\\n'), E'\\n', l.line), ${MAX_LISTED_LINE_LENGTH}) AS text
       FROM unnest($2::uuid[], $3::integer[]) WITH ORDINALITY l (version, line, number)
       LEFT JOIN (robots_versions v JOIN robots_texts t USING (digest)) ON v.project_id = $1 AND v.id = l.version
       ORDER BY l.number`,
      [projectId, lines.map(({ version }) => version), lines.map(({ line }) => line)],
    );
    return rows.map(({ text }) => text && text.trim());
  }
}
