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

it('prints its version', async () => {
  expect(await run(['--version'], '/nowhere')).toBe(0);
  expect(output).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it.each([
  ['bogus', "unknown command 'bogus'"],
  ['logs import', "missing required argument 'file'"],
  ['logs import --format cobol access.log', 'vhost-combined, combined, common'],
  ['logs import --map path=a --map when=b access.log', '"when" is not a field: write time, client, method'],
  ['logs import --map path=a --format caddy access.log', 'cannot be used with'],
  ['logs import --log-format $status access.log', 'lacks the client’s address ($remote_addr)'],
  ['logs import --fields Host access.log', 'got --format none'],
  ['logs import --format iis --fields Host access.log', 'columns of another format'],
  ['logs import --format iis --log-format x access.log', 'cannot be used with'],
  ['logs import s3://logs/a.gz', 'aws s3 cp'],
  ['logs import --since soon access.log', '2h or 7d'],
  ['logs listen', "'--syslog <address>'"],
  ['logs listen --syslog nowhere', 'such as 127.0.0.1:5514'],
  ['logs import --retry-for soon access.log', 'such as 90s, 5m or 1h'],
  ['logs import /no/such/access.log', '/no/such/access.log'],
  ['visits tail --last many', 'a whole number between 0 and 1000'],
  ['visits tail --result fine', 'Allowed choices are verified'],
  ['visits test example.com', 'an http(s) address'],
  ['identify', 'No request was given'],
  ['identify curl --frobnicate x', "curl's option --frobnicate is not understood"],
  ['identify --path /x -- curl -X', "curl's option -X needs a value"],
  ['agents add --token X', "required option '--type <type>'"],
  ['agents add --token X --type Robot', 'Allowed choices are AI Agent'],
  ['agents add --token X --type Fetcher', 'Nothing identifies this agent'],
  ['agents add --token X --type Fetcher --pattern Foobar{2}', 'needs a sample'],
  ['agents add --token X --type Fetcher --ip-list x=text', 'It must be an address'],
  ['agents edit X', 'No change was given'],
  ['agents edit X --clear token', 'Allowed choices are operator, url'],
  ['agents check /no/such/file', "Can't read /no/such/file"],
  ['dead-letters replay', 'Name the dead letters to replay by their ids, or use --all'],
  ['dead-letters replay --all 1', 'Name the dead letters to replay by their ids, or use --all'],
])('explains what is wrong with "%s"', async (command, expected) => {
  expect(await run(command.split(' '), '/nowhere')).toBe(2);
  expect(output).toContain(expected);
});
