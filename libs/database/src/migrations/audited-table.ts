import type { QueryRunner } from 'typeorm';

/** Changes of which table the audit log has, and what of them. */
export interface AuditedTable {
  table: string;
  /** One of `AUDIT_SUBJECTS` of the contracts. */
  subject: string;
  /** Column of the subject's id; `id` unless given. */
  id?: string | null;
  /** Column of the project that the subject belongs to; absent for what belongs to the instance. */
  project?: string;
  /** Columns whose values the log shows. */
  keeps: readonly string[];
  /** Columns of which the log only says that they changed. */
  hides?: readonly string[];
  /** SQL conditions on `NEW` and `OLD`; false for changes that the log does without. */
  when?: { insert?: string | false; update?: string | false; delete?: string | false };
}

/** Has triggers write the audit log, after others of a former version are gone. Columns that aren't named stay out of it. */
export async function auditTable(runner: QueryRunner, audited: AuditedTable): Promise<void> {
  const { table, subject, id = 'id', project = '', keeps, hides = [], when = {} } = audited;
  await unauditTable(runner, table);
  const given = [subject, id ?? '', project, keeps.join(','), hides.join(',')].map((text) => `'${text}'`).join(', ');
  const columns = [...keeps, ...hides].join(', ');
  for (const [event, condition] of [
    ['INSERT', when.insert],
    [`UPDATE OF ${columns}`, when.update],
    ['DELETE', when.delete],
  ] as const) {
    if (condition === false) continue;
    const name = `audit_${event.slice(0, 6).toLowerCase()}`;
    await runner.query(
      `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW
       ${condition === undefined ? '' : `WHEN (${condition})`} EXECUTE FUNCTION audit_change(${given})`,
    );
  }
}

export async function unauditTable(runner: QueryRunner, table: string): Promise<void> {
  for (const name of ['audit_insert', 'audit_update', 'audit_delete']) {
    await runner.query(`DROP TRIGGER IF EXISTS ${name} ON ${table}`);
  }
}
