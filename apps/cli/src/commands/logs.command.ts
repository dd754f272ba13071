import { Command, Option } from 'commander';
import { LOG_FORMATS, MAPPED_FIELDS } from '#libs/access-log';
import { renderFormats } from '../logs/formats-text.js';
import { print } from '../output.js';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { importLogs, type ImportOptions } from '../logs/import-logs.js';
import { listenLogs, type ListenOptions } from '../logs/listen-logs.js';
import { collect, parseAddress, parseDuration, parseSince, projectOption, wholeNumber } from '../options.js';

const fieldList = [...Object.entries(MAPPED_FIELDS), ['header.NAME', 'a request header, such as header.signature']]
  .map(([field, meaning]) => `  ${field!.padEnd(14)} ${meaning}`)
  .join('\n');

const IMPORT_HELP = `
Formats are detected line by line; "agent-traffic logs formats" lists them. gzip, zstd, bzip2 and xz are detected by content. Lines
that cannot be read are counted and shown; they never stop the import. A dry run shows the format that was found, the first visits
field by field, and what the log lacks.

A format of your own is read with --log-format and what stands in your server's configuration: nginx' log_format, Apache's
LogFormat, or GoAccess' tokens. Of JSON in a format of your own, say where each field is with --map. time, client and path are
needed:
${fieldList}
A key may lead into objects with dots: path=request.uri.

Of a folder all files are read but hidden ones and error logs. Rotated logs are read in the order of their lines. --since leaves
out logs that were last written before it, and older lines.

You can repeat an import, even of a log that has grown, was rotated, joined, cut or filtered: no line is recorded twice.
That holds for 30 days for stretches of unchanged lines, and for single lines for almost as long as the instance keeps
visits of unknown visitors. Import logs of several servers together: equal lines of different servers then count as well.

Examples:
  agent-traffic logs import /var/log/nginx/access.log
  agent-traffic logs import --dry-run access.log
  agent-traffic logs import --project "My site" '/var/log/nginx/access.log*'
  agent-traffic logs import --since 7d /var/log/nginx
  agent-traffic logs import --log-format '$remote_addr [$time_local] "$request" $status "$http_user_agent"' access.log
  agent-traffic logs import --map time=ts --map client=peer.ip --map path=url --map header.signature=sig app.log
  agent-traffic logs import --follow /var/log/nginx/access.log
  ssh web cat /var/log/apache2/access.log | agent-traffic logs import -`;

const LISTEN_HELP = `
Takes RFC 3164 and RFC 5424 by UDP, TCP and TLS, and plain lines by TCP. Until Ctrl-C or SIGTERM; then what waits is sent, and
what the instance has not acknowledged by then is said. While the instance is away, visits wait: as many as --queue says.
Then senders by TCP have to wait, and messages by UDP are dropped and counted.

UDP can lose messages that nobody counts. Anyone who reaches the address can add visits: listen on loopback or a private
network.

Examples:
  agent-traffic logs listen --syslog 127.0.0.1:5514
  agent-traffic logs listen --syslog 5514 --format haproxy --fields 'User-Agent Host'
  agent-traffic logs listen --syslog-tls 10.0.0.5:6514 --certificate cert.pem --key key.pem`;

const formatOptions = (): Option[] => [
  new Option('--format <format>', 'the format of the lines, instead of telling it from them')
    .choices(LOG_FORMATS.map(({ name }) => name))
    .conflicts('logFormat'),
  new Option('--map <field=key>', 'where a field is in JSON of your own, such as path=request.uri; repeatable')
    .argParser(collect)
    .conflicts(['format', 'logFormat', 'fields']),
  new Option(
    '--log-format <directive>',
    'a format of your own, as the configuration of nginx, Apache or GoAccess has it, in single quotes',
  ),
  new Option(
    '--fields <names>',
    'names of columns (cloudfront, cloudfront-real-time, iis) or captured headers (haproxy)',
  ),
];

const concurrencyOption = (): Option =>
  new Option('--concurrency <n>', 'maximum requests in flight; lowered while the instance is busy')
    .default(4)
    .argParser(wholeNumber(1, 16));

export function logsCommand(connect: Connect, setExitCode: (code: number) => void): Command {
  const logs = new Command('logs').description('import access logs, receive them by syslog, and list their formats');
  const importing = logs
    .command('import')
    .description('record the requests in access logs as visits')
    .argument(
      '<file...>',
      'logs of web servers, load balancers and CDNs, folders or patterns, gzip, zstd, bzip2, xz or plain; - is standard input',
    )
    .addOption(projectOption('the project to record in'))
    .option('-f, --follow', 'continue with lines that are added to the logs, until Ctrl-C')
    .option('-n, --dry-run', 'show what would be sent and what cannot be read, and send nothing')
    .addOption(new Option('--since <time>', 'leave out what is older: a date, or 90m, 2h, 7d').argParser(parseSince))
    .addOption(
      new Option('--retry-for <time>', 'how long to retry while the instance is down or busy')
        .default(300_000, '5m')
        .argParser(parseDuration),
    )
    .addOption(concurrencyOption())
    .addHelpText('after', IMPORT_HELP)
    .action((files: string[], options: ImportOptions) =>
      untilInterrupted((signal) => importLogs([...new Set(files)], options, connect, signal)),
    );
  const listening = logs
    .command('listen')
    .description('receive access logs by syslog, and record their requests as visits')
    .addOption(
      new Option('--syslog <address>', 'where to listen by UDP and TCP: 127.0.0.1:5514').argParser(parseAddress),
    )
    .addOption(new Option('--syslog-tls <address>', 'where to listen by TLS').argParser(parseAddress))
    .option('--certificate <file>', 'its certificate, in PEM')
    .option('--key <file>', 'the key of the certificate, in PEM')
    .addOption(projectOption('the project to record in'))
    .addOption(
      new Option('--queue <n>', 'visits that may wait for the instance')
        .default(100_000, '100,000')
        .argParser(wholeNumber(1_000, 1_000_000)),
    )
    .addOption(
      new Option('--stop-after <time>', 'how long to send what waits, once it is asked to stop')
        .default(10_000, '10s')
        .argParser(parseDuration),
    )
    .addOption(concurrencyOption())
    .addHelpText('after', LISTEN_HELP)
    .action((options: ListenOptions) => {
      if (options.syslog === undefined && options.syslogTls === undefined) {
        listening.error("error: required option '--syslog <address>' or '--syslog-tls <address>' not specified");
      }
      return untilInterrupted((signal) => listenLogs(options, connect, signal));
    });
  for (const command of [importing, listening]) for (const option of formatOptions()) command.addOption(option);
  logs
    .command('formats')
    .description('list the formats of access logs that are read, and what can be verified from each')
    .action(() => print(renderFormats(LOG_FORMATS)));
  return logs;

  async function untilInterrupted(run: (signal: AbortSignal) => Promise<number>): Promise<void> {
    const { signal, dispose } = onInterrupt();
    try {
      setExitCode(await run(signal));
    } finally {
      dispose();
    }
  }
}
