import { jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../main.js';

let folder: string;
let output: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robots-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  output = '';
  const write = (text: string | Uint8Array): boolean => Boolean((output += String(text)));
  jest.spyOn(console, 'log').mockImplementation((text: string) => void write(`${text}\n`));
  jest.spyOn(console, 'error').mockImplementation((text: string) => void write(`${text}\n`));
  jest.spyOn(process.stderr, 'write').mockImplementation(write);
});
afterEach(() => jest.restoreAllMocks());

const FILE = `User-agent: *
Disallow: /private/

User-agent: GPTBot # OpenAI
User-agent: 360Spider
Disallow: /
Allow: /press/

User-agent: gptbot
Disallow: /press/secret`;

async function check(page: string, userAgents: string[], text = FILE): Promise<number> {
  const file = join(folder, 'robots.txt');
  await writeFile(file, text);
  return run(['robots', 'check', page, '--file', file, ...userAgents.flatMap((one) => ['-A', one])], '/nowhere');
}

it('shows the line and group of the deciding rule', async () => {
  expect(await check('/a', ['GPTBot'])).toBe(1);
  expect(output).toBe('GPTBot may not fetch /a: line 6, "Disallow: /", in the group at line 4 "User-agent: GPTBot"\n');
  output = '';
  expect(await check('/press/', ['gptbot'])).toBe(0);
  expect(output).toContain('gptbot may fetch /press/: line 7, "Allow: /press/", in the group at line 4');
  output = '';
  expect(await check('https://example.com/press/secret?a#b', ['GPTBot'])).toBe(1);
  expect(output).toContain('fetch /press/secret?a: line 10, "Disallow: /press/secret", in the group at line 9');
});

it.each(['My Bot', 'my bot', 'My Bot/1.0', 'My Bot/1.0 (+https://bot.example)'])(
  'applies rules for the name "My Bot" to %s',
  async (userAgent) => {
    const text = 'User-agent: My Bot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b';
    expect(await check('/a', [userAgent], text)).toBe(1);
    expect(await check('/b', [userAgent], text)).toBe(0);
  },
);

it('explains why a fetch is allowed if no rule decides', async () => {
  expect(await check('/', ['ClaudeBot'])).toBe(0);
  expect(output).toBe('ClaudeBot may fetch /: no rule matches, in the group at line 1 "User-agent: *"\n');
  output = '';
  expect(await check('/', ['a'], 'User-agent: b\nDisallow: /')).toBe(0);
  expect(output).toBe('a may fetch /: no group applies, so everything is allowed\n');
  output = '';
  expect(await check('/robots.txt', ['*'], 'User-agent: *\nDisallow: /')).toBe(0);
  expect(output).toContain('robots.txt itself is always allowed');
});

it('merges all groups that name an agent', async () => {
  expect(await check('/', ['a'], 'User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow:\nUser-agent: A')).toBe(0);
  expect(output).toContain('in the groups at line 1 "User-agent: a" and line 5 "User-agent: A"');
});

it('resolves a full User-Agent and shows the resulting agent', async () => {
  const gptBot =
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
  expect(await check('/a', [gptBot])).toBe(1);
  expect(output).toBe(
    `"${gptBot}" is treated as GPTBot.\n` +
      'GPTBot may not fetch /a: line 6, "Disallow: /", in the group at line 4 "User-agent: GPTBot"\n',
  );
  output = '';
  expect(await check('/a', ['ShopWatch/2.0 (+https://example.com)'], 'User-agent: shopwatch\nDisallow: /')).toBe(1);
  expect(output).toContain('is treated as ShopWatch, its first product token, because it matches no bundled agent');
  output = '';
  expect(await check('/a', ['exabot (Exalead)'], 'User-agent: exabot\nDisallow: /')).toBe(1);
  expect(output).toContain('is treated as Exabot (Exalead), whose robots.txt token is Exabot.');
  output = '';
  expect(await check('/a', ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'])).toBe(2);
  expect(output).toContain('No bundled agent sends');
});

it('checks several agents at once, including names with spaces', async () => {
  expect(await check('/private/', ['*', '360spider', 'Sogou web spider'])).toBe(1);
  expect(output.split('\n')).toEqual([
    'An agent without its own group may not fetch /private/: line 2, "Disallow: /private/", in the group at line 1 "User-agent: *"',
    '360spider may not fetch /private/: line 6, "Disallow: /", in the group at line 5 "User-agent: 360Spider"',
    'Sogou web spider may not fetch /private/: line 2, "Disallow: /private/", in the group at line 1 "User-agent: *"',
    '',
  ]);
  output = '';
  expect(await check('/private/', ['*', 'a'], 'User-agent: *\nDisallow: /private/\nUser-agent: a')).toBe(1);
});

it('escapes control characters in files and arguments', async () => {
  await check('/\u001b[31m', ['a\u001b]52;c;x\u0007'], 'User-agent: *\nDisallow: /\u001b[2J\u202e*\nDisallow: /');
  expect(output).not.toMatch(/[[\p{Bidi_Control}\p{Cc}]--\n]/v);
  output = '';
  await check('/\u001b[2J\u202e', ['a'], 'User-agent: *\u001b[2J\nUser-agent: *\nDisallow: /\u001b[2J\u202e');
  expect(output).toContain('"Disallow: /\\x1b[2J\\u202e"');
  expect(output).not.toMatch(/[[\p{Bidi_Control}\p{Cc}]--\n]/v);
});

it('warns if a file is larger than 500 KiB', async () => {
  await check('/', ['a'], `User-agent: *\n${'#'.repeat(512_000)}\nDisallow: /`);
  expect(output).toContain('Only the first 500 KiB of');
});

it.each([
  [['check', '/a', '-A', 'x'], 'No robots.txt specified.'],
  [['check', 'a', '-A', 'x'], 'Not a path or URL: a'],
  [['check', '/a'], "required option '-A, --user-agent <agent>'"],
  [['check', '/a', '-A', ' ', '--file', '/no/such'], '--user-agent is empty'],
  [['check', '/a', '-A', 'x', '--file', '/no/such'], "Can't read /no/such"],
  [['check', '/a', '-A', 'x', '--file', 'http://127.0.0.1:1/'], '--allow-private'],
  [['check', 'http://localhost/', '-A', 'x'], 'its host is on a private network'],
])('exits with status 2 for %j', async (args, expected) => {
  expect(await run(['robots', ...args], '/nowhere')).toBe(2);
  expect(output).toContain(expected);
});
