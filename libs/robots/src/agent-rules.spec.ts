import { AgentRules } from './agent-rules.js';
import { comparablePath } from './path-pattern.js';
import { readRobotsFile, groupsFor, type RobotsRule } from './robots-file.js';

const fileOf = (text: string) => readRobotsFile(new TextEncoder().encode(text));
const rulesOf = (text: string, token = '*'): AgentRules => new AgentRules(groupsFor(fileOf(text), token));

/** Reference implementation of RFC 9309 section 2.2.2 that compares every rule. */
function byTheLetter(rules: readonly RobotsRule[], path: string): RobotsRule | null {
  const [best] = rules
    .filter(({ pattern }) => pattern.matches(comparablePath(path)))
    .toSorted(
      (a, b) => b.pattern.length - a.pattern.length || Number(b.isAllow) - Number(a.isAllow) || a.line - b.line,
    );
  return best ?? null;
}

it('finds the same rule as the reference implementation', () => {
  // Generator from Numerical Recipes, so the files are the same in each run.
  let seed = 20_261_123;
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  const pieces = ['/', 'a', 'b', 'ab', '*', '$', '?', '%2F', '%61', 'ä', ':', '=', '/a', '/a/b', '*/'];
  const text = (most: number): string =>
    Array.from({ length: below(most) }, () => pieces[below(pieces.length)]!).join('');
  let matched = 0;
  for (let round = 0; round < 300; round++) {
    const lines = Array.from({ length: 1 + below(30) }, () => `${below(2) === 0 ? 'Allow' : 'Disallow'}: /${text(6)}`);
    const { groups } = fileOf(`User-agent: *\n${lines.join('\n')}`);
    const rules = rulesOf(`User-agent: *\n${lines.join('\n')}`);
    for (let at = 0; at < 20; at++) {
      const path = `/${text(8)}`;
      const expected = byTheLetter(groups[0]!.rules, path);
      if (expected !== null) matched++;
      expect([lines, path, rules.find(path)?.rule.line ?? null]).toEqual([lines, path, expected?.line ?? null]);
    }
  }
  expect(matched).toBeGreaterThan(2_000);
});

it('combines the groups of one agent', () => {
  const text = 'User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /\n\nUser-agent: A\nAllow: /x/y';
  expect(rulesOf(text, 'a').find('/x/z')?.rule.line).toBe(2);
  expect(rulesOf(text, 'a').find('/x/y/z')).toMatchObject({ rule: { line: 8 }, userAgent: { line: 7 } });
  expect(rulesOf(text, 'a').find('/y')).toBeNull();
});

it('gives up at the step limit if file and path are hostile', () => {
  const hostile = `User-agent: *\n${Array.from({ length: 20_000 }, (_, index) => `Disallow: /*a*b${index}`).join('\n')}`;
  const rules = rulesOf(hostile);
  expect(rules.find('/a'.repeat(500), 100_000)).toBeUndefined();
  // A plain rule only costs steps if the path begins with it.
  const plain = rulesOf(hostile.replaceAll('/*a*b', '/shelf/'));
  expect(plain.find('/shelf/19999/book', 100)?.rule.line).toBe(20_001);
  expect(plain.find('/desk', 100)).toBeNull();
  const nested = rulesOf(
    `User-agent: *\n${Array.from({ length: 950 }, (_, index) => `Disallow: /${'a'.repeat(index)}`).join('\n')}`,
  );
  expect(nested.find(`/${'a'.repeat(1_000)}`, 100_000)).toBeUndefined();
  expect(nested.find(`/${'a'.repeat(100)}`, 100_000)?.rule.line).toBe(102);
});
