import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundledCatalog, compileCatalog, type Agent } from '#libs/catalog';
import { AGENT_TYPES } from '#libs/contracts';
import { robotsTxt } from '../../apps/rules/src/robots-txt.js';
import { selectAgents } from '../../apps/rules/src/selection.js';
import { isFull } from '../kit/faults.js';
import { parseRobots } from '../kit/parse-robots.js';
import { pythonWith } from '../stack/python.js';

/** Scrapy's parser. Like robots-parser, it shares no code with ours. */
const PROTEGO = join(import.meta.dirname, 'protego');
const SITE = 'https://shop.example';
const PATHS = ['/', '/private/a.pdf', '/private/a.pdf?x', '/Private/a.pdf', '/a%20b', '/k%C3%A4se', '/a%23b', '/index'];
const NOT_LISTED = ['SomeBrowser', 'UnheardOfBot', 'Mozilla'];
const catalog = compileCatalog(bundledCatalog());
const all = selectAgents(catalog, { agent_types: AGENT_TYPES });
const tokensOf = (agents: readonly Agent[]): string[] => agents.flatMap(({ robots_token: token }) => token ?? []);
let python: string;

beforeAll(async () => {
  python = await pythonWith(join(PROTEGO, 'requirements.txt'));
}, 120_000);

async function byProtego(text: string, agents: readonly string[]): Promise<boolean[][]> {
  const run = promisify(execFile)(python, [join(PROTEGO, 'verdicts.py')], { maxBuffer: 64 * 2 ** 20 });
  run.child.stdin!.end(JSON.stringify({ robots_txt: text, agents, urls: PATHS.map((path) => SITE + path) }));
  return JSON.parse((await run).stdout) as boolean[][];
}

function byRobotsParser(text: string, agents: readonly string[]): boolean[][] {
  const robots = parseRobots(`${SITE}/robots.txt`, text);
  return agents.map((agent) => PATHS.map((path) => robots.isAllowed(SITE + path, agent)!));
}

interface Verdict {
  agent: string;
  expected: boolean[];
  protego: boolean[];
  robotsParser: boolean[];
}

async function verdicts(text: string, listed: readonly string[], disallowed: readonly string[]): Promise<Verdict[]> {
  const agents = [...listed, ...NOT_LISTED];
  const [one, other] = [await byProtego(text, agents), byRobotsParser(text, agents)];
  return agents.map((agent, index) => ({
    agent,
    expected: PATHS.map((path) => index >= listed.length || !disallowed.includes(path)),
    protego: one[index]!,
    robotsParser: other[index]!,
  }));
}

const isAsExpected = ({ expected, protego, robotsParser }: Verdict): boolean =>
  [protego, robotsParser].every((answer) => JSON.stringify(answer) === JSON.stringify(expected));

const CASES: [string, string, string[]][] = [
  ['everything', '/', PATHS],
  ['nothing', '', []],
  ['a folder', '/private/', ['/private/a.pdf', '/private/a.pdf?x']],
  ['an ending', '/private/*.pdf$', ['/private/a.pdf']],
  ['an ending anywhere', '*.pdf$', ['/private/a.pdf', '/Private/a.pdf']],
  ['a space', '/a b', ['/a%20b']],
  ['a number sign', '/a#b', ['/a%23b']],
  ['what is not ASCII', '/käse', ['/k%C3%A4se']],
  ['what is encoded', '/k%c3%a4se', ['/k%C3%A4se']],
];

/** Every ninth agent, a different selection per case, because Protego is slow. `FAULTS=full` selects all agents. */
const askedIn = (disallow: string): string[] => {
  const first = CASES.findIndex(([, path]) => path === disallow);
  return tokensOf(all).filter((_, index) => isFull || index % CASES.length === first);
};

describe.each(['blocks', 'grouped'] as const)('%s', (format) => {
  it.each(CASES)('is interpreted as intended by two parsers: %s', async (_, disallow, disallowed) => {
    const judged = await verdicts(robotsTxt(all, disallow, format), askedIn(disallow), disallowed);
    expect(judged.filter((verdict) => !isAsExpected(verdict))).toEqual([]);
  });

  it.each(CASES)('is interpreted as intended with signals in between: %s', async (_, disallow, disallowed) => {
    const signals = { content_signal: { ai_train: false }, content_usage: { search: true }, license: `${SITE}/x.xml` };
    const judged = await verdicts(robotsTxt(all, disallow, format, signals), askedIn(disallow), disallowed);
    expect(judged.filter((verdict) => !isAsExpected(verdict))).toEqual([]);
  });

  it.each(AGENT_TYPES)('is interpreted as intended by two parsers for the type %s', async (type) => {
    const agents = selectAgents(catalog, { agent_types: [type] });
    const judged = await verdicts(robotsTxt(agents, '/', format), tokensOf(agents), PATHS);
    expect(judged.filter((verdict) => !isAsExpected(verdict))).toEqual([]);
  });
});

it('renders golden files that two parsers interpret as intended', async () => {
  const folder = join(import.meta.dirname, 'golden');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.txt') && file !== 'tokens.txt')) {
    const text = readFileSync(join(folder, name), 'utf8');
    const tokens = [...text.matchAll(/^User-agent: (.*)$/gm)]
      .map(([, token]) => token!)
      .filter((token) => token !== '*');
    // An earlier `Disallow` line belongs to the group for all agents.
    const disallow = [...text.matchAll(/^Disallow: ?(.*)$/gm)].at(-1)?.[1];
    const [, , disallowed] = CASES.find(([, path]) => path === disallow) ?? CASES[1]!;
    expect((await verdicts(text, tokens, disallowed)).filter((verdict) => !isAsExpected(verdict))).toEqual([]);
  }
});

/**
 * The parsers differ in one way: RFC 9309 compares whole product tokens. Protego also matches a token that starts a word
 * of the agent's name, unless the agent has its own group. For example, `HubSpotContentSearchBot` follows `HubSpot`.
 */
it.each(AGENT_TYPES)('affects no other agents when blocking the type %s', async (type) => {
  const agents = selectAgents(catalog, { agent_types: [type] });
  const listed = tokensOf(agents).map((token) => token.toLowerCase());
  const others = tokensOf(all).filter((token) => !listed.includes(token.toLowerCase()));
  const text = robotsTxt(agents, '/', 'blocks');
  const refused = (answers: boolean[][]): string[] => others.filter((_, index) => !answers[index]![0]);
  const begins = (token: string, part: string): boolean =>
    new RegExp(`(?<![\\p{L}\\p{N}_-])${RegExp.escape(part)}`, 'u').test(token.toLowerCase());
  expect(refused(byRobotsParser(text, others))).toEqual([]);
  expect(refused(await byProtego(text, others))).toEqual(
    others.filter((token) => listed.some((part) => begins(token, part))),
  );
});
