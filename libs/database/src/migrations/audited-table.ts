import type { QueryRunner } from 'typeorm';

/** A table whose changes are recorded in the audit log. Columns that aren't listed here are ignored. */
export interface AuditedTable {
  table: string;
  /** Subject type in the audit log. Must be one of `AUDIT_SUBJECTS`. */
  subject: string;
  /** Column that contains the subject's ID, or null if the subject has none. Default: `id`. */
  id?: string | null;
  /** Column that contains the project ID. Omit it for subjects outside projects. */
  project?: string;
  /** Columns whose changed values are logged. */
  logged: readonly string[];
  /** Columns whose changes are logged with the values replaced by `[hidden]`. */
  hidden?: readonly string[];
  /** SQL conditions on `NEW` and `OLD`, by operation. If false, the operation isn't logged. */
  when?: { insert?: string | false; update?: string | false; delete?: string | false };
}

/** Creates the table's audit triggers or replaces the existing ones. */
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
