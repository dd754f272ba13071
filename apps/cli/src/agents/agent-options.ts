import { Command, InvalidArgumentError, Option } from 'commander';
import { AGENT_TYPES, type AgentBehavior, type AgentType } from '#libs/contracts';
import { collect } from '../options.js';
import { behaviorOption } from '../robots/robots-options.js';

export interface AgentOptions {
  type?: AgentType;
  behavior?: AgentBehavior[];
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

/** Allowed values for `--clear`. They match the names of the options that set these fields. */
export const CLEARABLE = [
  'operator',
  'url',
  'behavior',
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

export const typeOption = (): Option => new Option('--type <type>', 'agent type').choices(AGENT_TYPES);

export function addAgentOptions(command: Command): Command {
  return command
    .addOption(behaviorOption('what the agent uses the pages for'))
    .option('--operator <name>', 'company or project that operates the agent')
    .option('--url <url>', "URL of the operator's page about the agent")
    .option('--pattern <expression>', 'case-insensitive regular expression for the User-Agent; repeatable', collect)
    .option('--excluded-prefix <text>', 'text that invalidates a match directly after it; repeatable', collect)
    .option(
      '--sample <user-agent>',
      'sample User-Agent, required for each pattern that is not plain text; repeatable',
      collect,
    )
    .option('--ip-range <cidr>', 'IP address range that the agent uses; repeatable', collect)
    .addOption(
      new Option('--ip-list <url[=format]>', "URL of the operator's published IP address list; repeatable").argParser(
        collectIpList,
      ),
    )
    .option(
      '--dns-suffix <name>',
      "suffix of the host names that the agent's addresses resolve to; repeatable",
      collect,
    )
    .option('--signature-agent <host>', "host of the agent's Web Bot Auth key directory; repeatable", collect)
    .option('--robots-token <token>', 'robots.txt token (default for a new agent: the value of --token)')
    .option('--generic', 'library or framework; other agents in the same User-Agent take precedence');
}

const LIST_FORMAT = /=((?:json-prefixes|json|text|csv-geofeed|unknown)$|json:[^]*)/;

/** Parses a URL with an optional format, such as `https://…=text`. The URL can also contain `=`. */
function collectIpList(value: string, all: AgentOptions['ipList'] = []): AgentOptions['ipList'] {
  const format = LIST_FORMAT.exec(value);
  const url = format === null ? value : value.slice(0, format.index);
  if (!URL.canParse(url)) throw new InvalidArgumentError('It must be a URL such as https://example.com/ips.json.');
  return [...all, { url, format: format?.[1] ?? 'json-prefixes' }];
}
