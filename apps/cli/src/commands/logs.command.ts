import { Command, Option } from 'commander';
import { LOG_FORMATS, MAPPED_FIELDS } from '#libs/access-log';
import { renderFormats } from '../logs/formats-text.js';
import { print } from '../output.js';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { importLogs, type ImportOptions } from '../logs/import-logs.js';
import { listenLogs, type ListenOptions } from '../logs/listen-logs.js';
import { collect, parseAddress, parseDuration, parseSince, projectOption, integerParser } from '../options.js';

const fieldList = [...Object.entries(MAPPED_FIELDS), ['header.NAME', 'request header, such as header.signature']]
  .map(([field, meaning]) => `  ${field!.padEnd(14)} ${meaning}`)
  .join('\n');

const IMPORT_HELP = `
The format of each line is detected automatically, as is gzip, zstd, bzip2 and xz compression. To list the formats, run
"agent-traffic logs formats". Lines that can't be parsed are counted and reported. They don't stop the import. A dry run shows
the detected format, the first visits field by field, and the fields that the log lacks.

For a custom text format, pass the format string from your server's configuration with --log-format: nginx log_format, Apache
LogFormat, or GoAccess tokens. For custom JSON, use --map to tell where each field is. The fields time, client and path are
required:
${fieldList}
Use dots for keys in nested objects: path=request.uri.

In a folder, all files except hidden files and error logs are imported. Rotated logs are read in chronological order. --since
skips logs that were last modified before that time, and older lines.

You can safely repeat an import, even if the log has grown or was rotated, joined, truncated or filtered. No line is recorded
twice. This is guaranteed for 30 days for blocks of unchanged lines, and for single lines for almost as long as the instance
retains visits by unknown visitors. Import the logs of several servers together, so identical lines from different servers are
all counted.

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
Accepts RFC 3164 and RFC 5424 messages over UDP, TCP and TLS, and plain lines over TCP. On Ctrl-C or SIGTERM, the command sends
the queued visits, then reports how many the instance hasn't acknowledged. While the instance is unavailable, up to --queue
visits are queued. When the queue is full, TCP senders have to wait, and UDP messages are dropped and counted.

The network can also lose UDP messages without a trace. Anyone who can reach the address can add visits, so listen only on
loopback or a private network.

Examples:
  agent-traffic logs listen --syslog 127.0.0.1:5514
  agent-traffic logs listen --syslog 5514 --format haproxy --fields 'User-Agent Host'
  agent-traffic logs listen --syslog-tls 10.0.0.5:6514 --certificate cert.pem --key key.pem`;

const formatOptions = (): Option[] => [
  new Option('--format <format>', 'log format (default: detected)')
    .choices(LOG_FORMATS.map(({ name }) => name))
    .conflicts('logFormat'),
  new Option('--map <field=key>', 'location of a field in custom JSON, such as path=request.uri; repeatable')
    .argParser(collect)
    .conflicts(['format', 'logFormat', 'fields']),
  new Option(
    '--log-format <directive>',
    'custom format from the configuration of nginx, Apache or GoAccess, in single quotes',
  ),
  new Option('--fields <names>', 'column names (cloudfront, cloudfront-real-time, iis) or captured headers (haproxy)'),
];

const concurrencyOption = (): Option =>
  new Option('--concurrency <n>', 'maximum number of concurrent requests; reduced while the instance is busy')
    .default(4)
    .argParser(integerParser(1, 16));

export function logsCommand(connect: Connect, setExitCode: (code: number) => void): Command {
  const logs = new Command('logs')
    .summary('import access logs, or receive them over syslog')
    .description('import access logs, receive them over syslog, and list supported formats');
  const importing = logs
    .command('import')
    .description('import the requests in access logs as visits')
    .argument(
      '<file...>',
      'log files, folders or glob patterns; plain text, gzip, zstd, bzip2 or xz; - for standard input',
    )
    .addOption(projectOption('project to record visits in'))
    .option('-f, --follow', 'also import new lines as they are appended, until Ctrl-C')
    .option('-n, --dry-run', 'show what would be imported, without sending anything')
    .addOption(
      new Option(
        '--since <time>',
        'skip older lines: a date, a date-time, or how long ago, such as 90m, 2h or 7d',
      ).argParser(parseSince),
    )
    .addOption(
      new Option('--retry-for <time>', 'maximum time to retry while the instance is down or busy')
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
    .description('receive access logs over syslog and record their requests as visits')
    .addOption(
      new Option('--syslog <address>', 'UDP and TCP address to listen on, such as 127.0.0.1:5514').argParser(
        parseAddress,
      ),
    )
    .addOption(new Option('--syslog-tls <address>', 'TLS address to listen on').argParser(parseAddress))
    .option('--certificate <file>', 'TLS certificate (PEM)')
    .option('--key <file>', 'private key for the TLS certificate (PEM)')
    .addOption(projectOption('project to record visits in'))
    .addOption(
      new Option('--queue <n>', 'maximum number of queued visits')
        .default(100_000, '100,000')
        .argParser(integerParser(1_000, 1_000_000)),
    )
    .addOption(
      new Option('--stop-after <time>', 'maximum time to send queued visits after Ctrl-C or SIGTERM')
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
    .description('list supported log formats and the verification methods that work with each')
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
