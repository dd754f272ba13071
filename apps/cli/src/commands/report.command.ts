import { Command, Option } from 'commander';
import { csvLine } from '#libs/csv';
import type { Connect } from '../instance.js';
import { jsonOption, parseTime, projectOption } from '../options.js';
import { findProject } from '../project.js';
import { complianceReport } from '../reports/compliance.report.js';
import { referralsReport } from '../reports/referrals.report.js';
import type { Report } from '../reports/report.js';
import { toolsReport } from '../reports/tools.report.js';
import { unlistedReport } from '../reports/unlisted.report.js';
import { table, visible } from '../terminal-text.js';
import { print, printJson, writeData } from '../output.js';

const REPORTS: readonly Report[] = [complianceReport, referralsReport, unlistedReport, toolsReport];

const DAY_MS = 86_400_000;
/** Default range of a report, in days. */
const DAYS = 30;

interface Options {
  project?: string;
  from?: string;
  to?: string;
  json?: boolean;
  csv?: boolean;
}

export function reportCommand(connect: Connect): Command {
  const report = new Command('report').description('print a report of a project, as table, CSV or JSON');
  report.addHelpText('after', `\nExamples:\n${REPORTS.map(({ name }) => `  agent-traffic report ${name}`).join('\n')}`);
  for (const each of REPORTS) report.addCommand(commandOf(each, connect));
  return report;
}

function commandOf({ name, description, path, help, read }: Report, connect: Connect): Command {
  return new Command(name)
    .description(description)
    .addOption(projectOption())
    .option('--from <time>', `not before this time, ISO 8601 (default: ${DAYS} days before --to)`, parseTime)
    .option('--to <time>', 'before this time, ISO 8601 (default: now)', parseTime)
    .addOption(jsonOption().conflicts('csv'))
    .addOption(new Option('--csv', 'print CSV, which has more columns'))
    .addHelpText(
      'after',
      `${help}\n\nExamples:\n  agent-traffic report ${name}\n  agent-traffic report ${name} --csv > ${name}.csv`,
    )
    .action(async ({ project, from, to, json, csv }: Options) => {
      const { client } = await connect();
      const { id } = await findProject(client, project);
      const end = to ?? new Date().toISOString();
      const start = from ?? new Date(Date.parse(end) - DAYS * DAY_MS).toISOString();
      const answer = await client.get(path, { params: { path: { id }, query: { from: start, to: end } } });
      if (json) {
        printJson(answer);
        return;
      }
      const text = read(answer);
      if (csv) writeData(text.csv.map(csvLine).join(''));
      else if (text.rows.length === 0) print(text.empty);
      else {
        print(text.summary);
        print('');
        print(
          table(
            text.headings,
            text.rows.map((row) => row.map((cell) => visible(cell))),
          ),
        );
      }
    });
}
