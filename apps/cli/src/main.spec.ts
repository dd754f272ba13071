import { jest } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram, run } from './main.js';

let output: string;
beforeEach(() => {
  output = '';
  const write = (text: string | Uint8Array): boolean => {
    output += String(text);
    return true;
  };
  jest.spyOn(process.stdout, 'write').mockImplementation(write);
  jest.spyOn(process.stderr, 'write').mockImplementation(write);
  jest.spyOn(console, 'error').mockImplementation((text: string) => void write(text));
});
afterEach(() => jest.restoreAllMocks());

const commandsOf = ({ commands }: Command, parent = ''): string[] =>
  commands.flatMap((command) => {
    const name = `${parent} ${command.name()}`.trim();
    return [name, ...commandsOf(command, name)];
  });

it.each(['', ...commandsOf(createProgram('/nowhere', () => {}))])('prints help for %p', async (command) => {
  expect(await run([...command.split(' ').filter(Boolean), '--help'], '/nowhere')).toBe(0);
  expect(output).toContain(`Usage: agent-traffic ${command}`.trim());
});

it('groups the commands by job and fits their help in 80 columns', async () => {
  expect(await run(['--help'], '/nowhere')).toBe(0);
  expect(output.match(/^[A-Z][a-z ]+(?=:$)/gm)).toEqual([
    'Options',
    'Visits',
    'Reports and alerts',
    'Agents and rules',
    'Projects and access',
    'Accounts',
    'Operation',
    'Help',
    'Environment',
    'Examples',
  ]);
  const lines = output.split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const names = createProgram('/nowhere', () => {}).commands.map((command) => command.name());
  const listed = names.filter((name) => lines.some((line) => line.startsWith(`  ${name}  `)));
  expect(listed).toEqual(names);
});

it.each(['visits export', 'visits reidentify', 'visits replay', 'report load', 'report statement', 'audit'])(
  'lists the same time values for %s as for --since',
  async (command) => {
    expect(await run([...command.split(' '), '--help'], '/nowhere')).toBe(0);
    expect(output.replaceAll(/\s+/g, ' ')).toMatch(/such as 2h or 7d|30d for 30 days ago/);
  },
);

it('prints the version', async () => {
  expect(await run(['--version'], '/nowhere')).toBe(0);
  expect(output).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it.each([
  ['bogus', "unknown command 'bogus'"],
  ['logs import', "missing required argument 'file'"],
  ['logs import --format cobol access.log', 'vhost-combined, combined, common'],
  ['logs import --map path=a --map when=b access.log', 'unknown field "when": use time, client, method'],
  ['logs import --map path=a --format caddy access.log', 'cannot be used with'],
  ['logs import --log-format $status access.log', "doesn't contain the client address ($remote_addr)"],
  ['logs import --fields Host access.log', 'got --format none'],
  ['logs import --format iis --fields Host access.log', 'the columns belong to another format'],
  ['logs import --format iis --log-format x access.log', 'cannot be used with'],
  ['logs import s3://logs/a.gz', 'aws s3 cp'],
  ['logs import --since soon access.log', '2h or 7d'],
  ['logs listen', "'--syslog <address>'"],
  ['logs listen --syslog nowhere', 'such as 127.0.0.1:5514'],
  ['logs listen --syslog-tls 6514 --certificate cert.pem', 'requires --certificate FILE and --key FILE'],
  [
    'logs listen --syslog-tls 6514 --certificate /no/such/cert.pem --key package.json',
    "Can't read --certificate /no/such/cert.pem: no such file or directory",
  ],
  [
    'logs listen --syslog-tls 6514 --certificate package.json --key /no/such/key.pem',
    "Can't read --key /no/such/key.pem: no such file or directory",
  ],
  [
    'logs listen --syslog-tls 6514 --certificate package.json --key package.json',
    "Can't use --certificate package.json with --key package.json: ",
  ],
  ['logs import --retry-for soon access.log', 'such as 90s, 5m or 1h'],
  ['logs import /no/such/access.log', '/no/such/access.log'],
  ['visits tail --last many', 'an integer from 0 to 1000'],
  ['visits tail --result fine', 'Allowed choices are verified'],
  ['visits test example.com', 'an http(s) URL'],
  ['identify', 'No request specified'],
  ['identify curl --frobnicate x', 'curl option --frobnicate is not supported'],
  ['identify --file /no/such/request', "Can't read --file /no/such/request: no such file or directory"],
  ['identify --path /x -- curl -X', 'curl option -X requires a value'],
  ['agents add --token X', "required option '--type <type>'"],
  ['agents add --token X --type Robot', 'Allowed choices are AI Agent'],
  ['agents add --token X --type Fetcher', 'has no pattern or signature agent'],
  ['agents add --token X --type Fetcher --pattern Foobar{2}', 'requires a sample'],
  ['agents add --token X --type Fetcher --ip-list x=text', 'It must be a URL'],
  ['agents edit X', 'No changes specified'],
  ['agents edit X --clear token', 'Allowed choices are operator, url'],
  ['agents check /no/such/file', "Can't read /no/such/file"],
  ['dead-letters replay', 'Specify either dead letter IDs or --all'],
  ['dead-letters replay --all 1', 'Specify either dead letter IDs or --all'],
])('explains the usage error in "%s"', async (command, expected) => {
  expect(await run(command.split(' '), '/nowhere')).toBe(2);
  expect(output).toContain(expected);
});
