import { Command, Option } from 'commander';
import { formatCsvLine } from '#libs/csv';
import type { Connect } from '../instance.js';
import { jsonOption, parseTime, TIME_VALUES, projectOption } from '../options.js';
import { findProject } from '../project.js';
import { complianceReport } from '../reports/compliance.report.js';
import { conductReport } from '../reports/conduct.report.js';
import { coverageReport } from '../reports/coverage.report.js';
import { journeysReport } from '../reports/journeys.report.js';
import { loadReport } from '../reports/load.report.js';
import { paymentsReport } from '../reports/payments.report.js';
import { permissionsReport } from '../reports/permissions.report.js';
import { referralsReport } from '../reports/referrals.report.js';
import type { Report } from '../reports/report.js';
import { statementReportCommand } from '../reports/statement.js';
import { toolsReport } from '../reports/tools.report.js';
import { unlistedReport } from '../reports/unlisted.report.js';
import { renderTable, escapeInvisible } from '../terminal-text.js';
import { print, printJson, writeData } from '../output.js';

const REPORTS: readonly Report[] = [
  complianceReport,
  conductReport,
  coverageReport,
  journeysReport,
  loadReport,
  paymentsReport,
  permissionsReport,
  referralsReport,
  unlistedReport,
  toolsReport,
];

const DAY_MS = 86_400_000;
const DEFAULT_RANGE_DAYS = 30;

interface Options {
  project?: string;
  from?: string;
  to?: string;
  json?: boolean;
  csv?: boolean;
  by?: string;
}

export function reportCommand(connect: Connect): Command {
  const report = new Command('report')
    .summary('print a report, or download a signed statement')
    .description('print a report for a project as a table, CSV or JSON, or download a signed statement');
  report.addHelpText(
    'after',
    `\nExamples:\n${REPORTS.map(({ name }) => `  agent-traffic report ${name}`).join('\n')}\n  agent-traffic report statement --operator OpenAI --output openai.html`,
  );
  for (const definition of REPORTS) report.addCommand(createReportCommand(definition, connect));
  report.addCommand(statementReportCommand(connect));
  return report;
}

function createReportCommand(
  { name, description, path, help, coversAllVisits, groupings, read }: Report,
  connect: Connect,
): Command {
  const command = new Command(name).description(description).addOption(projectOption());
  if (!coversAllVisits) {
    command
      .option(
        '--from <time>',
        `start of the time range: ${TIME_VALUES} (default: ${DEFAULT_RANGE_DAYS} days before --to)`,
        parseTime,
      )
      .option('--to <time>', `end of the time range (exclusive): ${TIME_VALUES} (default: now)`, parseTime);
  }
  if (groupings !== undefined) {
    const [first] = groupings as [string];
    command.addOption(
      new Option('--by <property>', `property to break the report down by (default: ${first})`).choices(groupings),
    );
  }
  return command
    .addOption(jsonOption().conflicts('csv'))
    .addOption(new Option('--csv', 'print CSV, with more columns than the table'))
    .addHelpText(
      'after',
      `${help}\n\nExamples:\n  agent-traffic report ${name}\n  agent-traffic report ${name} --csv > ${name}.csv`,
    )
    .action(async ({ project, from, to, json, csv, by }: Options) => {
      const { client } = await connect();
      const { id } = await findProject(client, project);
      const end = to ?? new Date().toISOString();
      const start = from ?? new Date(Date.parse(end) - DEFAULT_RANGE_DAYS * DAY_MS).toISOString();
      const query = { ...(!coversAllVisits && { from: start, to: end }), ...(by !== undefined && { by }) };
      const response = await client.get(path, { params: { path: { id }, query } });
      if (json) {
        printJson(response);
        return;
      }
      const text = read(response, by);
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
