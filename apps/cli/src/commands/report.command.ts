import { Command, Option } from 'commander';
import { formatCsvLine } from '#libs/csv';
import type { Connect } from '../instance.js';
import { jsonOption, parseTime, projectOption } from '../options.js';
import { findProject } from '../project.js';
import { complianceReport } from '../reports/compliance.report.js';
import { referralsReport } from '../reports/referrals.report.js';
import type { Report } from '../reports/report.js';
import { toolsReport } from '../reports/tools.report.js';
import { unlistedReport } from '../reports/unlisted.report.js';
import { renderTable, escapeInvisible } from '../terminal-text.js';
import { print, printJson, writeData } from '../output.js';

const REPORTS: readonly Report[] = [complianceReport, referralsReport, unlistedReport, toolsReport];

const DAY_MS = 86_400_000;
const DEFAULT_RANGE_DAYS = 30;

interface Options {
  project?: string;
  from?: string;
  to?: string;
  json?: boolean;
  csv?: boolean;
}

export function reportCommand(connect: Connect): Command {
  const report = new Command('report').description('print a report for a project as a table, CSV or JSON');
  report.addHelpText('after', `\nExamples:\n${REPORTS.map(({ name }) => `  agent-traffic report ${name}`).join('\n')}`);
  for (const definition of REPORTS) report.addCommand(createReportCommand(definition, connect));
  return report;
}

function createReportCommand({ name, description, path, help, read }: Report, connect: Connect): Command {
  return new Command(name)
    .description(description)
    .addOption(projectOption())
    .option(
      '--from <time>',
      `start of the time range, ISO 8601 (default: ${DEFAULT_RANGE_DAYS} days before --to)`,
      parseTime,
    )
    .option('--to <time>', 'end of the time range (exclusive), ISO 8601 (default: now)', parseTime)
    .addOption(jsonOption().conflicts('csv'))
    .addOption(new Option('--csv', 'print CSV, with more columns than the table'))
    .addHelpText(
      'after',
      `${help}\n\nExamples:\n  agent-traffic report ${name}\n  agent-traffic report ${name} --csv > ${name}.csv`,
    )
    .action(async ({ project, from, to, json, csv }: Options) => {
      const { client } = await connect();
      const { id } = await findProject(client, project);
      const end = to ?? new Date().toISOString();
      const start = from ?? new Date(Date.parse(end) - DEFAULT_RANGE_DAYS * DAY_MS).toISOString();
      const response = await client.get(path, { params: { path: { id }, query: { from: start, to: end } } });
      if (json) {
        printJson(response);
        return;
      }
      const text = read(response);
      if (csv) writeData(text.csv.map(formatCsvLine).join(''));
      else if (text.rows.length === 0) print(text.empty);
      else {
        print(text.summary);
        print('');
        print(
          renderTable(
            text.headings,
            text.rows.map((row) => row.map((cell) => escapeInvisible(cell))),
          ),
        );
      }
    });
}
