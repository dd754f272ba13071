import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Own {
  user_agent_patterns: string[];
  generic?: boolean;
  framework?: boolean;
}

const GENERIC = `SELECT id, own FROM agents WHERE own -> 'generic' = 'true'`;

/**
 * Until now a generic agent ranked below named ones by its patterns, `(?=text).` of a library and `(?=text)..` of a
 * framework. Now its own members say so. A pattern that is more than that stays, and the list of agents shows its fault.
 */
export class GenericPatterns1763775000000 implements MigrationInterface {
  name = 'GenericPatterns1763775000000';

  async up(runner: QueryRunner): Promise<void> {
    const rows: { id: string; own: Own }[] = await runner.query(GENERIC);
    for (const { id, own } of rows) {
      const found = own.user_agent_patterns.map((pattern) => /^\(\?=(.*)\)(\.{1,2})$/s.exec(pattern));
      if (!found.every((match) => match !== null && compiles(match[1]!))) continue;
      const user_agent_patterns = found.map((match) => match![1]!);
      const isFramework = found.length > 0 && found.every((match) => match![2] === '..');
      await replace(runner, id, { ...own, user_agent_patterns, ...(isFramework && { framework: true }) });
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const rows: { id: string; own: Own }[] = await runner.query(GENERIC);
    for (const { id, own } of rows) {
      const { framework, ...rest } = own;
      const dots = framework ? '..' : '.';
      const user_agent_patterns = own.user_agent_patterns.map((pattern) =>
        pattern.startsWith('(?=') ? pattern : `(?=${pattern})${dots}`,
      );
      await replace(runner, id, { ...rest, user_agent_patterns });
    }
  }
}

async function replace(runner: QueryRunner, id: string, own: Own): Promise<void> {
  await runner.query(`UPDATE agents SET own = $2 WHERE id = $1`, [id, own]);
  await runner.query(`UPDATE catalog_state SET revision = revision + 1`);
}

/** Not so where the parentheses around it are of two groups. */
function compiles(pattern: string): boolean {
  try {
    void new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
