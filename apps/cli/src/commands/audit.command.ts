import { Command } from 'commander';
import {
  AUDIT_CHANGES,
  AUDIT_SUBJECTS,
  type AuditChange,
  type AuditEntry,
  type AuditPage,
  type AuditSubject,
} from '#libs/contracts';
import { auditRow } from '../audit-text.js';
import type { Connect } from '../instance.js';
import { jsonOption, oneOf, parseSince, parseTime, wholeNumber } from '../options.js';
import { findProject } from '../project.js';
import { table } from '../terminal-text.js';
import { dataForOutput, print, printJson } from '../output.js';
import { pipeline } from 'node:stream/promises';

const HELP = `
Who changed or saw what, newest first. Without --project it needs a key for all
projects with the scope read; with it, a key for that project with the scope
admin.

Examples:
  agent-traffic audit
  agent-traffic audit --project "My site" --since 7d
  agent-traffic audit --actor ada@example.com --subject access_token --json
  agent-traffic audit --csv > audit-log.csv`;

interface Options {
  project?: string;
  since?: number;
  to?: string;
  actor?: string;
  subject?: AuditSubject[];
  change?: AuditChange[];
  limit: number;
  json?: boolean;
  csv?: boolean;
}

const MAX_PAGE = 1_000;

export function auditCommand(connect: Connect): Command {
  return new Command('audit')
    .description('show who changed or saw what')
    .option('-p, --project <name|id>', 'only of this project')
    .option('--since <time>', 'not before: a date, a date-time, or how long ago (2h, 7d)', parseSince)
    .option('--to <time>', 'before this time', parseTime)
    .option('--actor <text>', 'part of the e-mail address or the name of the API key')
    .option('--subject <what>', `what it is about, repeatable: ${AUDIT_SUBJECTS.join(', ')}`, oneOf(AUDIT_SUBJECTS))
    .option('--change <change>', `what became of it, repeatable: ${AUDIT_CHANGES.join(', ')}`, oneOf(AUDIT_CHANGES))
    .option('--limit <n>', 'how many', wholeNumber(1, 1_000_000), 50)
    .addOption(jsonOption().conflicts('csv'))
    .option('--csv', 'write all of them as CSV')
    .addHelpText('after', HELP)
    .action(async ({ project, since, limit, json, csv, ...filters }: Options) => {
      const { client } = await connect();
      const path = project === undefined ? null : { id: (await findProject(client, project)).id };
      const query = { ...filters, ...(since !== undefined && { from: new Date(since).toISOString() }) };
      if (csv) {
        const accepted = { accept: '*/*' };
        const file = await (path === null
          ? client.stream('/api/audit-entries/export', accepted, { params: { query } })
          : client.stream('/api/projects/{id}/audit-entries/export', accepted, { params: { path, query } }));
        return pipeline(file, dataForOutput, process.stdout, { end: false });
      }
      const entries: AuditEntry[] = [];
      for (let cursor: string | null = ''; cursor !== null && entries.length < limit;) {
        const part = { ...query, limit: Math.min(limit - entries.length, MAX_PAGE), cursor };
        const page: AuditPage = await (path === null
          ? client.get('/api/audit-entries', { params: { query: part } })
          : client.get('/api/projects/{id}/audit-entries', { params: { path, query: part } }));
        entries.push(...page.entries);
        cursor = page.next_cursor;
      }
      if (json) printJson(entries);
      else if (entries.length === 0) print('No entries.');
      else print(table(['WHEN', 'WHO', 'FROM', 'WHAT', 'DETAILS'], entries.map(auditRow)));
    });
}
