import { AgentRules } from './agent-rules.js';
import { toComparablePath } from './path-pattern.js';
import { parseRobotsFile, findGroups, type RobotsRule } from './robots-file.js';

const parseFile = (text: string) => parseRobotsFile(new TextEncoder().encode(text));
const parseRules = (text: string, token = '*'): AgentRules => new AgentRules(findGroups(parseFile(text), token));

/** Reference implementation of RFC 9309, section 2.2.2, which compares all rules. */
function findByReference(rules: readonly RobotsRule[], path: string): RobotsRule | null {
  const [best] = rules
    .filter(({ pattern }) => pattern.matches(toComparablePath(path)))
    .toSorted(
      (a, b) => b.pattern.length - a.pattern.length || Number(b.isAllow) - Number(a.isAllow) || a.line - b.line,
    );
  return best ?? null;
}

it('AgentRules finds the same rule as the reference implementation', () => {
  // Random number generator from Numerical Recipes with a fixed seed, so that each run uses the same files.
  let seed = 20_261_123;
  const randomBelow = (limit: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  const pieces = ['/', 'a', 'b', 'ab', '*', '$', '?', '%2F', '%61', 'ä', ':', '=', '/a', '/a/b', '*/'];
  const text = (maxPieces: number): string =>
    Array.from({ length: randomBelow(maxPieces) }, () => pieces[randomBelow(pieces.length)]!).join('');
  let matched = 0;
  for (let round = 0; round < 300; round++) {
    const lines = Array.from(
      { length: 1 + randomBelow(30) },
      () => `${randomBelow(2) === 0 ? 'Allow' : 'Disallow'}: /${text(6)}`,
    );
    const { groups } = parseFile(`User-agent: *\n${lines.join('\n')}`);
    const rules = parseRules(`User-agent: *\n${lines.join('\n')}`);
    for (let at = 0; at < 20; at++) {
      const path = `/${text(8)}`;
      const expected = findByReference(groups[0]!.rules, path);
      if (expected !== null) matched++;
      expect([lines, path, rules.find(path)?.rule.line ?? null]).toEqual([lines, path, expected?.line ?? null]);
    }
  }
  expect(matched).toBeGreaterThan(2_000);
});

it("AgentRules combines an agent's groups", () => {
  const text = 'User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /\n\nUser-agent: A\nAllow: /x/y';
  expect(parseRules(text, 'a').find('/x/z')?.rule.line).toBe(2);
  expect(parseRules(text, 'a').find('/x/y/z')).toMatchObject({ rule: { line: 8 }, userAgent: { line: 7 } });
  expect(parseRules(text, 'a').find('/y')).toBeNull();
});

it('AgentRules stops at the step limit for a hostile file and path', () => {
  const hostileFile = `User-agent: *\n${Array.from({ length: 20_000 }, (_, index) => `Disallow: /*a*b${index}`).join('\n')}`;
  const rules = parseRules(hostileFile);
  expect(rules.find('/a'.repeat(500), 100_000)).toBeUndefined();
  // A rule without wildcards only uses up steps if the path starts with it.
  const plainRules = parseRules(hostileFile.replaceAll('/*a*b', '/shelf/'));
  expect(plainRules.find('/shelf/19999/book', 100)?.rule.line).toBe(20_001);
  expect(plainRules.find('/desk', 100)).toBeNull();
  const nestedRules = parseRules(
    `User-agent: *\n${Array.from({ length: 950 }, (_, index) => `Disallow: /${'a'.repeat(index)}`).join('\n')}`,
  );
  expect(nestedRules.find(`/${'a'.repeat(1_000)}`, 100_000)).toBeUndefined();
  expect(nestedRules.find(`/${'a'.repeat(100)}`, 100_000)?.rule.line).toBe(102);
});
