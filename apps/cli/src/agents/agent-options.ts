import { Command, InvalidArgumentError, Option } from 'commander';
import { AGENT_TYPES, type AgentType } from '#libs/contracts';
import { collect } from '../options.js';

export interface AgentOptions {
  type?: AgentType;
  operator?: string;
  url?: string;
  pattern?: string[];
  sample?: string[];
  ipRange?: string[];
  ipList?: { url: string; format: string }[];
  dnsSuffix?: string[];
  signatureAgent?: string[];
  robotsToken?: string;
  excludedPrefix?: string[];
  generic?: boolean;
}

/** Values of `--clear`: the names of the options that set these fields. */
export const CLEARABLE = [
  'operator',
  'url',
  'pattern',
  'ip-range',
  'ip-list',
  'dns-suffix',
  'signature-agent',
  'robots-token',
  'excluded-prefix',
  'generic',
] as const;
export type Clearable = (typeof CLEARABLE)[number];

export const typeOption = (): Option => new Option('--type <type>', 'its type').choices(AGENT_TYPES);

export function withAgentOptions(command: Command): Command {
  return command
    .option('--operator <name>', 'the company or project behind it')
    .option('--url <url>', 'where its operator describes it')
    .option('--pattern <expression>', 'matches its User-Agent, ignoring case; repeatable', collect)
    .option('--excluded-prefix <text>', 'a match directly after this text does not count; repeatable', collect)
    .option('--sample <user-agent>', 'a User-Agent, for a pattern that is not plain text; repeatable', collect)
    .option('--ip-range <cidr>', 'addresses it comes from; repeatable', collect)
    .addOption(
      new Option('--ip-list <url[=format]>', 'where its operator publishes them; repeatable').argParser(collectList),
    )
    .option('--dns-suffix <name>', 'its confirmed host names end in this; repeatable', collect)
    .option('--signature-agent <host>', 'its Web Bot Auth key directory; repeatable', collect)
    .option('--robots-token <token>', 'its name in robots.txt (default for a new agent: its token)')
    .option('--generic', 'a library or framework: agents named next to it win');
}

const FORMAT = /=((?:json-prefixes|json|text|csv-geofeed|unknown)$|json:[^]*)/;

/** Parses `https://…=text`. The URL may contain `=`, too. */
function collectList(value: string, all: AgentOptions['ipList'] = []): AgentOptions['ipList'] {
  const format = FORMAT.exec(value);
  const url = format === null ? value : value.slice(0, format.index);
  if (!URL.canParse(url)) throw new InvalidArgumentError('It must be an address such as https://example.com/ips.json.');
  return [...all, { url, format: format?.[1] ?? 'json-prefixes' }];
}
