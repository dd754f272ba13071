import type { QueryRunner } from 'typeorm';

/** A table whose changes are written to the audit log. Columns that aren't named stay out of it. */
export interface AuditedTable {
  table: string;
  /** One of `AUDIT_SUBJECTS` of the contracts. */
  subject: string;
  /** Column of the subject's ID. Default: `id`. */
  id?: string | null;
  /** Column of the subject's project. Absent for subjects of the instance. */
  project?: string;
  /** Columns that are logged with their values. */
  logged: readonly string[];
  /** Columns of which only the fact that they changed is logged. */
  hidden?: readonly string[];
  /** SQL conditions on `NEW` and `OLD`. False: such changes aren't logged. */
  when?: { insert?: string | false; update?: string | false; delete?: string | false };
}

/** Creates the triggers that write the audit log, and replaces those that the table already has. */
export async function auditTable(runner: QueryRunner, audited: AuditedTable): Promise<void> {
  const { table, subject, id = 'id', project = '', logged, hidden = [], when = {} } = audited;
  const args = [subject, id ?? '', project, logged.join(','), hidden.join(',')].map((text) => `'${text}'`).join(', ');
  for (const [name, event, condition] of [
    ['audit_insert', 'INSERT', when.insert],
    ['audit_update', `UPDATE OF ${[...logged, ...hidden].join(', ')}`, when.update],
    ['audit_delete', 'DELETE', when.delete],
  ] as const) {
    await runner.query(`DROP TRIGGER IF EXISTS ${name} ON ${table}`);
    if (condition === false) continue;
    await runner.query(
      `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW
       ${condition === undefined ? '' : `WHEN (${condition})`} EXECUTE FUNCTION audit_change(${args})`,
    );
  }
}
