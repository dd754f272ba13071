import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decideRobotsAccess, parseRobotsFile } from '#libs/robots';
import { parseRobots } from '../kit/parse-robots.js';
import { selectRobotsAgents, createRobotsFiles, ROBOTS_PATHS } from '../kit/robots-fixtures.js';
import { ensurePython } from '../stack/python.js';

const PROTEGO = join(import.meta.dirname, 'protego');
const SITE = 'https://shop.example';

async function evaluateWithProtego(text: string, agents: readonly string[]): Promise<boolean[][]> {
  const python = await ensurePython(join(PROTEGO, 'requirements.txt'));
  const run = promisify(execFile)(python, [join(PROTEGO, 'verdicts.py')], { maxBuffer: 64 * 2 ** 20 });
  run.child.stdin!.end(JSON.stringify({ robots_txt: text, agents, urls: ROBOTS_PATHS.map((path) => SITE + path) }));
  return JSON.parse((await run).stdout) as boolean[][];
}

it.each([0, 1, 2])('agrees with Protego and robots-parser on 5,000 agent and path pairs: file %d', async (file) => {
  const text = createRobotsFiles()[file]!;
  const tokens = selectRobotsAgents().map(({ robots_token: token }) => token);
  expect(tokens.length * ROBOTS_PATHS.length).toBe(5_000);
  const ourRules = parseRobotsFile(Buffer.from(text));
  const parser = parseRobots(`${SITE}/robots.txt`, text);
  const protego = await evaluateWithProtego(text, tokens);
  const differences: unknown[] = [];
  for (const [index, token] of tokens.entries()) {
    for (const [at, path] of ROBOTS_PATHS.entries()) {
      const { isAllowed, ...decision } = decideRobotsAccess(ourRules, token, path);
      const others = [protego[index]![at], parser.isAllowed(SITE + path, token)];
      if (others.some((other) => other !== isAllowed)) differences.push({ token, path, isAllowed, others, decision });
    }
  }
  expect(differences).toEqual([]);
});
