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
import { jsonOption, oneOf, parseSince, parseTime, TIME_VALUES, integerParser } from '../options.js';
import { findProject } from '../project.js';
import { renderTable } from '../terminal-text.js';
import { escapeForOutput, print, printJson } from '../output.js';
import { pipeline } from 'node:stream/promises';

const HELP = `
Lists who changed or viewed what, newest first. Requires an API key for all
projects with the read scope. With --project, a key for that project with the
admin scope is enough.

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
    .summary('show who changed or viewed what')
    .description('show the audit log: who changed or viewed what')
    .option('-p, --project <name|id>', 'only entries for this project')
    .option('--since <time>', `start time: ${TIME_VALUES}`, parseSince)
    .option('--to <time>', `end time (exclusive): ${TIME_VALUES}`, parseTime)
    .option('--actor <text>', "part of the person's email address or the API key's name")
    .option('--subject <what>', `kind of object, repeatable: ${AUDIT_SUBJECTS.join(', ')}`, oneOf(AUDIT_SUBJECTS))
    .option('--change <change>', `kind of change, repeatable: ${AUDIT_CHANGES.join(', ')}`, oneOf(AUDIT_CHANGES))
    .option('--limit <n>', 'maximum number of entries', integerParser(1, 1_000_000), 50)
    .addOption(jsonOption().conflicts('csv'))
    .option('--csv', 'print all entries as CSV, regardless of --limit')
    .addHelpText('after', HELP)
    .action(async ({ project, since, limit, json, csv, ...filters }: Options) => {
      const { client } = await connect();
      const path = project === undefined ? null : { id: (await findProject(client, project)).id };
      const query = { ...filters, ...(since !== undefined && { from: new Date(since).toISOString() }) };
      if (csv) {
        const streamOptions = { accept: '*/*' };
        const file = await (path === null
          ? client.stream('/api/audit-entries/export', streamOptions, { params: { query } })
          : client.stream('/api/projects/{id}/audit-entries/export', streamOptions, { params: { path, query } }));
        return pipeline(file, escapeForOutput, process.stdout, { end: false });
      }
      const entries: AuditEntry[] = [];
      for (let cursor: string | null = ''; cursor !== null && entries.length < limit;) {
        const pageQuery = { ...query, limit: Math.min(limit - entries.length, MAX_PAGE), cursor };
        const page: AuditPage = await (path === null
          ? client.get('/api/audit-entries', { params: { query: pageQuery } })
          : client.get('/api/projects/{id}/audit-entries', { params: { path, query: pageQuery } }));
        entries.push(...page.entries);
        cursor = page.next_cursor;
      }
      if (json) printJson(entries);
      else if (entries.length === 0) print('No audit entries found.');
      else print(renderTable(['WHEN', 'WHO', 'FROM', 'WHAT', 'DETAILS'], entries.map(auditRow)));
    });
}
