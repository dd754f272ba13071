import { Command, Option } from 'commander';
import { LOG_FORMATS, MAPPED_FIELDS } from '#libs/access-log';
import { renderFormats } from '../logs/formats-text.js';
import { print } from '../output.js';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { importLogs, type ImportOptions } from '../logs/import-logs.js';
import { collect, parseDuration, projectOption, wholeNumber } from '../options.js';

/** `  time           when it was: …`. */
const fieldList = [...Object.entries(MAPPED_FIELDS), ['header.NAME', 'a request header, such as header.signature']]
  .map(([field, meaning]) => `  ${field!.padEnd(14)} ${meaning}`)
  .join('\n');

const HELP = `
Formats are detected line by line; "agent-traffic logs formats" lists them. gzip is detected by content. Lines that cannot be
read are counted and shown; they never stop the import. A dry run shows the format that was found, the first visits field by
field, and what the log lacks.

Of JSON in a format of your own, say where each field is with --map. time, client and path are needed:
${fieldList}
A key may lead into objects with dots: path=request.uri.

You can repeat an import at any time, even of a log that has grown or was rotated: no line is recorded twice.
That holds for 30 days, as long as the instance keeps idempotency keys.

Examples:
  agent-traffic logs import /var/log/nginx/access.log
  agent-traffic logs import --dry-run access.log
  agent-traffic logs import --project "My site" access.log access.log.1 access.log.2.gz
  agent-traffic logs import --map time=ts --map client=peer.ip --map path=url --map header.signature=sig app.log
  agent-traffic logs import --follow /var/log/nginx/access.log
  ssh web cat /var/log/apache2/access.log | agent-traffic logs import -`;

export function logsCommand(connect: Connect, setExitCode: (code: number) => void): Command {
  const logs = new Command('logs').description('import access logs, and list their formats');
  logs
    .command('import')
    .description('record the requests in access logs as visits')
    .argument('<file...>', 'access logs of web servers, load balancers and CDNs, gzip or plain; - is standard input')
    .addOption(projectOption('the project to record in'))
    .addOption(
      new Option('--format <format>', 'the format of the lines, instead of telling it from them').choices(
        LOG_FORMATS.map(({ name }) => name),
      ),
    )
    .addOption(
      new Option('--map <field=key>', 'where a field is in JSON of your own, such as path=request.uri; repeatable')
        .argParser(collect)
        .conflicts('format'),
    )
    .option('-f, --follow', 'continue with lines that are added to the logs, until Ctrl-C')
    .option('-n, --dry-run', 'show what would be sent and what cannot be read, and send nothing')
    .addOption(
      new Option('--retry-for <time>', 'how long to retry while the instance is down or busy')
        .default(300_000, '5m')
        .argParser(parseDuration),
    )
    .addOption(
      new Option('--concurrency <n>', 'maximum requests in flight; lowered while the instance is busy')
        .default(4)
        .argParser(wholeNumber(1, 16)),
    )
    .addHelpText('after', HELP)
    .action(async (files: string[], options: ImportOptions) => {
      const { signal, dispose } = onInterrupt();
      try {
        setExitCode(await importLogs([...new Set(files)], options, connect, signal));
      } finally {
        dispose();
      }
    });
  logs
    .command('formats')
    .description('list the formats of access logs that are read, and what can be verified from each')
    .action(() => print(renderFormats(LOG_FORMATS)));
  return logs;
}
