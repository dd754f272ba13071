import { measureGrowth, MAX_GROWTH } from '../../../../test/kit/cost.js';
import { describeComparison } from './comparison-text.js';
import { compareRobots } from './robots-comparison.js';
import { parseRobotsFile } from '#libs/robots';

const read = (text: string) => parseRobotsFile(Buffer.from(text));
const differing = (rendering: string, other: string) =>
  compareRobots(read(rendering), read(other)).differences.map(({ token, isNamed }) => `${token}${isNamed ? '' : '?'}`);
const rules = (...lines: string[]) => ['User-agent: a', ...lines].join('\n');

it.each([
  ['a group for several agents', 'User-agent: b\nUser-agent: A\nDisallow: /'],
  ['a group for all agents', 'User-agent: *\nDisallow: /'],
  ['a pattern that matches everything', rules('Disallow: /*')],
  ['a pattern that matches everything, without a slash', rules('Disallow: *')],
  ['rules covered by another rule', rules('Disallow: /private/', 'Disallow: /', 'Disallow: /*.gif$')],
  ['rules split between two groups', `${rules('Disallow: /x')}\n${rules('Disallow: /')}`],
  ['an extra rule that matches no path', rules('Disallow: /', 'Disallow: private')],
  ['an agent name with a version', 'User-agent: a/1.0\nDisallow: /'],
])('treats robots.txt files with %s as equivalent', (_, other) => {
  expect(differing(rules('Disallow: /'), other)).toEqual([]);
});

it('detects different rules', () => {
  expect(differing(rules('Disallow: /'), '')).toEqual(['a?']);
  expect(differing(rules('Disallow: /'), 'User-agent: *\nDisallow: /x')).toEqual(['a?']);
  expect(differing(rules('Disallow: /'), rules('Disallow:'))).toEqual(['a']);
  expect(differing(rules('Disallow: /'), rules('Disallow: /', 'Allow: /'))).toEqual(['a']);
  expect(differing(rules('Disallow: /'), rules('Disallow: /$'))).toEqual(['a']);
  expect(differing(rules('Disallow: /x'), rules('Disallow: /x', 'Disallow: /*y'))).toEqual(['a']);
  expect(differing(rules('Disallow: /x*$'), rules('Disallow: /x$'))).toEqual(['a']);
  expect(differing(rules('Disallow: /x$', 'Disallow: /x$y'), rules('Disallow: /x$'))).toEqual(['a']);
});

it('treats missing rules as permission for everything', () => {
  expect(differing(rules('Disallow:'), '')).toEqual([]);
  expect(differing(rules('Disallow:'), 'User-agent: *\nDisallow: /')).toEqual(['a?']);
});

it('treats paths that match the same URLs as equivalent', () => {
  expect(differing(rules('Disallow: /x*y'), rules('Disallow: /x*yz', 'Disallow: /x*y'))).toEqual([]);
  expect(differing(rules('Disallow: /%e3%83%84%61'), rules('Disallow: /\u30c4a'))).toEqual([]);
  expect(differing(rules('Allow: /x', 'Disallow: /'), rules('Disallow: /', 'Allow: /x'))).toEqual([]);
});

it.each([
  ['many rules for each agent', (agents: string, rules: string) => `${agents}\n${rules}`],
  ['many groups for all agents', (_: string, rules: string) => rules.replaceAll('Allow', 'User-agent: *\nAllow')],
  ['many patterns', (agents: string, rules: string) => `${agents}\n${rules.replaceAll(/Allow: .*/g, 'Dis$&*')}`],
])('compares a large hostile file with %s in linear time', async (_, file) => {
  const workOf = (size: number) => {
    const agents = Array.from({ length: size }, (__, index) => `User-agent: a${index}x`).join('\n');
    const paths = Array.from({ length: size }, (__, index) => `Allow: /${index}`).join('\n');
    const [rendering, other] = [`${agents}\nDisallow: /`, file(agents, paths)];
    return () => {
      const comparison = compareRobots(read(rendering), read(other));
      const lines = describeComparison(comparison, { name: 'robots.txt', missing: null });
      expect(comparison.differences).toHaveLength(size);
      expect(lines.length).toBeLessThan(size + 4);
      expect(lines[0]!.length).toBeLessThan(2_000);
    };
  };
  expect(await measureGrowth(workOf, 100)).toBeLessThan(MAX_GROWTH);
});

describe('describeComparison', () => {
  const words = (rendering: string, other: string, missing: number | null = null) =>
    describeComparison(compareRobots(read(rendering), read(other)), { name: 'robots.txt', missing });
  const three = 'User-agent: a\nUser-agent: b\nUser-agent: c\nUser-agent: d\nDisallow: /';

  it('groups agents with the same difference', () => {
    expect(
      words(three, 'User-agent: b\nDisallow: /x\n\nUser-agent: *\nAllow: /\n\nUser-agent: d\nDisallow: /'),
    ).toEqual([
      'No separate group: found line 5, "Allow: /", in the group at line 4 "User-agent: *", expected "Disallow: /":',
      '  a',
      '  c',
      'Different rules: found "Disallow: /x", expected "Disallow: /":',
      '  b (line 1)',
      'Not in the rendered rules: * (line 4)',
      'Differences for 3 of 4 agents: 2 without a group, 1 with different rules.',
    ]);
  });

  it('groups agents with the same difference even if their groups and lines in the file differ', () => {
    const other = 'User-agent: a\nUser-agent: b\nDisallow: /x\nUser-agent: c\nDisallow: /x\nUser-agent: a\nAllow:\n';
    expect(words(three, other)).toEqual([
      'Different rules: found "Disallow: /x", expected "Disallow: /":',
      '  a (line 1, line 6)',
      '  b (line 2)',
      '  c (line 4)',
      'No group, expected "Disallow: /":',
      '  d',
      'Differences for 4 of 4 agents: 1 without a group, 3 with different rules.',
    ]);
  });

  it('lists a rule only once if several groups contain it', () => {
    const alike = 'User-agent: a b\nDisallow: /\nUser-agent: a c\nDisallow: /\nUser-agent: a\nDisallow: /';
    expect(words(alike, '')).toEqual([
      'No group, expected "Disallow: /":',
      '  a b',
      '  a c',
      '  a',
      'Differences for 3 of 3 agents: 3 without a group, 0 with different rules.',
    ]);
  });

  it('describes a missing file, missing rules and equivalent files', () => {
    expect(words('User-agent: a\nDisallow: /', '', 404)).toEqual([
      'No robots.txt found (status 404 from robots.txt).',
      'No group, expected "Disallow: /":',
      '  a',
      'Differences for 1 of 1 agent: 1 without a group, 0 with different rules.',
    ]);
    expect(words('User-agent: a\nDisallow:', 'User-agent: A\nDisallow: /')[0]).toBe(
      'Different rules: found "Disallow: /", expected no rules:',
    );
    expect(words(three, three)).toEqual(['No differences (4 agents compared).']);
    expect(words('', three)).toEqual([
      'None of the selected agents has a robots.txt token, so there is nothing to compare.',
    ]);
  });

  it('truncates a long list and escapes control characters', () => {
    const others = Array.from(
      { length: 12 },
      (_, index) => `User-agent: o\u001b[2J${index}\nUser-agent: O\u001b[2J${index}`,
    );
    const [line] = words('User-agent: a\nDisallow:', others.join('\n'));
    expect(line).toBe(
      `Not in the rendered rules: ${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => `o\\x1b[2J${index} (line ${2 * index + 1})`).join(', ')}, 2 more`,
    );
    const text = words(
      'User-agent: a\u001b\nDisallow: /\u001b',
      'User-agent: *\u001b\nUser-agent: a\u001b\nAllow: /\u202e',
    ).join('');
    expect(text).not.toMatch(/[\p{Bidi_Control}\p{Cc}]/v);
  });
});
