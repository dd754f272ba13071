import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getBundledCatalog, compileCatalog, type Agent } from '#libs/catalog';
import { AGENT_TYPES } from '#libs/contracts';
import { robotsTxt } from '../../apps/rules/src/robots-txt.js';
import { selectAgents } from '../../apps/rules/src/selection.js';
import { isFullRun } from '../kit/faults.js';
import { parseRobots } from '../kit/parse-robots.js';
import { ensurePython } from '../stack/python.js';

/** Folder with a script that runs Protego, Scrapy's parser. Like robots-parser, Protego shares no code with ours. */
const PROTEGO = join(import.meta.dirname, 'protego');
const SITE = 'https://shop.example';
const PATHS = ['/', '/private/a.pdf', '/private/a.pdf?x', '/Private/a.pdf', '/a%20b', '/k%C3%A4se', '/a%23b', '/index'];
const UNLISTED_AGENTS = ['SomeBrowser', 'UnheardOfBot', 'Mozilla'];
const catalog = compileCatalog(getBundledCatalog());
const allAgents = selectAgents(catalog, { agent_types: AGENT_TYPES });
const getTokens = (agents: readonly Agent[]): string[] => agents.flatMap(({ robots_token: token }) => token ?? []);
let python: string;

beforeAll(async () => {
  python = await ensurePython(join(PROTEGO, 'requirements.txt'));
}, 120_000);

async function evaluateWithProtego(text: string, agents: readonly string[]): Promise<boolean[][]> {
  const run = promisify(execFile)(python, [join(PROTEGO, 'verdicts.py')], { maxBuffer: 64 * 2 ** 20 });
  run.child.stdin!.end(JSON.stringify({ robots_txt: text, agents, urls: PATHS.map((path) => SITE + path) }));
  return JSON.parse((await run).stdout) as boolean[][];
}

function evaluateWithRobotsParser(text: string, agents: readonly string[]): boolean[][] {
  const robots = parseRobots(`${SITE}/robots.txt`, text);
  return agents.map((agent) => PATHS.map((path) => robots.isAllowed(SITE + path, agent)!));
}

interface Verdict {
  agent: string;
  expected: boolean[];
  protego: boolean[];
  robotsParser: boolean[];
}

async function getVerdicts(text: string, listed: readonly string[], disallowed: readonly string[]): Promise<Verdict[]> {
  const agents = [...listed, ...UNLISTED_AGENTS];
  const [protegoResults, robotsParserResults] = [
    await evaluateWithProtego(text, agents),
    evaluateWithRobotsParser(text, agents),
  ];
  return agents.map((agent, index) => ({
    agent,
    expected: PATHS.map((path) => index >= listed.length || !disallowed.includes(path)),
    protego: protegoResults[index]!,
    robotsParser: robotsParserResults[index]!,
  }));
}

const isAsExpected = ({ expected, protego, robotsParser }: Verdict): boolean =>
  [protego, robotsParser].every((result) => JSON.stringify(result) === JSON.stringify(expected));

const CASES: [string, string, string[]][] = [
  ['everything', '/', PATHS],
  ['nothing', '', []],
  ['a folder', '/private/', ['/private/a.pdf', '/private/a.pdf?x']],
  ['a file extension', '/private/*.pdf$', ['/private/a.pdf']],
  ['a file extension in any folder', '*.pdf$', ['/private/a.pdf', '/Private/a.pdf']],
  ['a space', '/a b', ['/a%20b']],
  ['a number sign', '/a#b', ['/a%23b']],
  ['non-ASCII characters', '/käse', ['/k%C3%A4se']],
  ['percent-encoded characters', '/k%c3%a4se', ['/k%C3%A4se']],
];

/** Returns a different ninth of all agents for each case, because Protego is slow. `FAULTS=full` selects all agents. */
const selectTokens = (disallow: string): string[] => {
  const first = CASES.findIndex(([, path]) => path === disallow);
  return getTokens(allAgents).filter((_, index) => isFullRun || index % CASES.length === first);
};

describe.each(['blocks', 'grouped'] as const)('%s', (format) => {
  it.each(CASES)('two parsers interpret the rules as intended: %s', async (_, disallow, disallowed) => {
    const parsedVerdicts = await getVerdicts(
      robotsTxt(allAgents, disallow, format),
      selectTokens(disallow),
      disallowed,
    );
    expect(parsedVerdicts.filter((verdict) => !isAsExpected(verdict))).toEqual([]);
  });

  it.each(CASES)('parsers interpret rules with usage signals as intended: %s', async (_, disallow, disallowed) => {
    const signals = { content_signal: { ai_train: false }, content_usage: { search: true }, license: `${SITE}/x.xml` };
    const parsedVerdicts = await getVerdicts(
      robotsTxt(allAgents, disallow, format, signals),
      selectTokens(disallow),
      disallowed,
    );
    expect(parsedVerdicts.filter((verdict) => !isAsExpected(verdict))).toEqual([]);
  });

  it.each(AGENT_TYPES)('two parsers interpret rules for the type %s as intended', async (type) => {
    const agents = selectAgents(catalog, { agent_types: [type] });
    const tokens = getTokens(agents).filter((_, index) => isFullRun || index % 4 === 0);
    const parsedVerdicts = await getVerdicts(robotsTxt(agents, '/', format), tokens, PATHS);
    expect(parsedVerdicts.filter((verdict) => !isAsExpected(verdict))).toEqual([]);
  });
});

it('has golden files that two parsers interpret as intended', async () => {
  const folder = join(import.meta.dirname, 'golden');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.txt') && file !== 'tokens.txt')) {
    const text = readFileSync(join(folder, name), 'utf8');
    const tokens = [...text.matchAll(/^User-agent: (.*)$/gm)]
      .map(([, token]) => token!)
      .filter((token) => token !== '*');
    // An earlier `Disallow` line belongs to the group for all agents.
    const disallow = [...text.matchAll(/^Disallow: ?(.*)$/gm)].at(-1)?.[1];
    const [, , disallowed] = CASES.find(([, path]) => path === disallow) ?? CASES[1]!;
    expect((await getVerdicts(text, tokens, disallowed)).filter((verdict) => !isAsExpected(verdict))).toEqual([]);
  }
});

/**
 * RFC 9309 requires parsers to compare entire product tokens. Protego also matches a token at the start of a word in the
 * agent's name, unless the agent has its own group. For example, `HubSpotContentSearchBot` follows `HubSpot`.
 */
it.each(AGENT_TYPES)('blocks the type %s without affecting other agents', async (type) => {
  const agents = selectAgents(catalog, { agent_types: [type] });
  const listed = getTokens(agents).map((token) => token.toLowerCase());
  const others = getTokens(allAgents).filter((token) => !listed.includes(token.toLowerCase()));
  const text = robotsTxt(agents, '/', 'blocks');
  const findBlocked = (results: boolean[][]): string[] => others.filter((_, index) => !results[index]![0]);
  const startsWord = (token: string, part: string): boolean =>
    new RegExp(`(?<![\\p{L}\\p{N}_-])${RegExp.escape(part)}`, 'u').test(token.toLowerCase());
  expect(findBlocked(evaluateWithRobotsParser(text, others))).toEqual([]);
  expect(findBlocked(await evaluateWithProtego(text, others))).toEqual(
    others.filter((token) => listed.some((part) => startsWord(token, part))),
  );
});
