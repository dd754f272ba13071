import type { QueryRunner } from 'typeorm';

/** A table whose changes are written to the audit log. Columns not listed here are ignored. */
export interface AuditedTable {
  table: string;
  /** One of `AUDIT_SUBJECTS`. */
  subject: string;
  /** Column with the subject's ID. Default: `id`. */
  id?: string | null;
  /** Column with the subject's project. Omitted for subjects without a project. */
  project?: string;
  /** Columns logged with their values. */
  logged: readonly string[];
  /** Columns for which only the change is logged, not the value. */
  hidden?: readonly string[];
  /** SQL conditions on `NEW` and `OLD`. False: such changes aren't logged. */
  when?: { insert?: string | false; update?: string | false; delete?: string | false };
}

/** Creates the table's audit triggers, replacing existing ones. */
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
