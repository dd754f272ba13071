import { growth, MAX_GROWTH } from '../../../../test/kit/cost.js';
import { describeComparison } from './comparison-text.js';
import { compareRobots } from './robots-comparison.js';
import { readRobotsFile } from '#libs/robots';

const read = (text: string) => readRobotsFile(Buffer.from(text));
const differing = (rendering: string, other: string) =>
  compareRobots(read(rendering), read(other)).differences.map(({ token, isNamed }) => `${token}${isNamed ? '' : '?'}`);
const rules = (...lines: string[]) => ['User-agent: a', ...lines].join('\n');

it.each([
  ['the rule of a group for several', 'User-agent: b\nUser-agent: A\nDisallow: /'],
  ['a group of anybody', 'User-agent: *\nDisallow: /'],
  ['a pattern for everything', rules('Disallow: /*')],
  ['a pattern for everything, without a slash', rules('Disallow: *')],
  ['rules that others cover', rules('Disallow: /private/', 'Disallow: /', 'Disallow: /*.gif$')],
  ['rules in two groups', `${rules('Disallow: /x')}\n${rules('Disallow: /')}`],
  ['a rule for no path', rules('Disallow: /', 'Disallow: private')],
  ['a version', 'User-agent: a/1.0\nDisallow: /'],
])('treats %s as equal', (_, other) => {
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

it('treats missing rules as allowing everything', () => {
  expect(differing(rules('Disallow:'), '')).toEqual([]);
  expect(differing(rules('Disallow:'), 'User-agent: *\nDisallow: /')).toEqual(['a?']);
});

it('compares paths by the URLs they match', () => {
  expect(differing(rules('Disallow: /x*y'), rules('Disallow: /x*yz', 'Disallow: /x*y'))).toEqual([]);
  expect(differing(rules('Disallow: /%e3%83%84%61'), rules('Disallow: /\u30c4a'))).toEqual([]);
  expect(differing(rules('Allow: /x', 'Disallow: /'), rules('Disallow: /', 'Allow: /x'))).toEqual([]);
});

it.each([
  ['many rules for each', (agents: string, rules: string) => `${agents}\n${rules}`],
  ['many groups for anybody', (_: string, rules: string) => rules.replaceAll('Allow', 'User-agent: *\nAllow')],
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
  expect(await growth(workOf, 100)).toBeLessThan(MAX_GROWTH);
});

describe('describeComparison', () => {
  const words = (rendering: string, other: string, missing: number | null = null) =>
    describeComparison(compareRobots(read(rendering), read(other)), { name: 'robots.txt', missing });
  const three = 'User-agent: a\nUser-agent: b\nUser-agent: c\nUser-agent: d\nDisallow: /';

  it('groups agents with the same difference', () => {
    expect(
      words(three, 'User-agent: b\nDisallow: /x\n\nUser-agent: *\nAllow: /\n\nUser-agent: d\nDisallow: /'),
    ).toEqual([
      'No group of its own: line 5, "Allow: /", in the group of line 4 "User-agent: *"; should have "Disallow: /":',
      '  a',
      '  c',
      'Other rules: "Disallow: /x"; should have "Disallow: /":',
      '  b (line 1)',
      'Not part of the rendering: * (line 4)',
      '3 of 4 agents: 2 without a group, 1 with other rules.',
    ]);
  });

  it('groups agents that have separate groups or lines', () => {
    const other = 'User-agent: a\nUser-agent: b\nDisallow: /x\nUser-agent: c\nDisallow: /x\nUser-agent: a\nAllow:\n';
    expect(words(three, other)).toEqual([
      'Other rules: "Disallow: /x"; should have "Disallow: /":',
      '  a (line 1, line 6)',
      '  b (line 2)',
      '  c (line 4)',
      'No group; should have "Disallow: /":',
      '  d',
      '4 of 4 agents: 1 without a group, 3 with other rules.',
    ]);
  });

  it('lists a rule once if several groups contain it', () => {
    const alike = 'User-agent: a b\nDisallow: /\nUser-agent: a c\nDisallow: /\nUser-agent: a\nDisallow: /';
    expect(words(alike, '')).toEqual([
      'No group; should have "Disallow: /":',
      '  a b',
      '  a c',
      '  a',
      '3 of 3 agents: 3 without a group, 0 with other rules.',
    ]);
  });

  it('describes a missing file, missing rules and no differences', () => {
    expect(words('User-agent: a\nDisallow: /', '', 404)).toEqual([
      'There is no robots.txt (status 404 of robots.txt).',
      'No group; should have "Disallow: /":',
      '  a',
      '1 of 1 agent: 1 without a group, 0 with other rules.',
    ]);
    expect(words('User-agent: a\nDisallow:', 'User-agent: A\nDisallow: /')[0]).toBe(
      'Other rules: "Disallow: /"; should have no rule:',
    );
    expect(words(three, three)).toEqual(['Nothing differs: 4 agents compared.']);
    expect(words('', three)).toEqual(['No such agent has a name in robots.txt: there is nothing to compare.']);
  });

  it('truncates a long list and escapes control characters', () => {
    const others = Array.from(
      { length: 12 },
      (_, index) => `User-agent: o\u001b[2J${index}\nUser-agent: O\u001b[2J${index}`,
    );
    const [line] = words('User-agent: a\nDisallow:', others.join('\n'));
    expect(line).toBe(
      `Not part of the rendering: ${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => `o\\x1b[2J${index} (line ${2 * index + 1})`).join(', ')}, 2 more`,
    );
    const text = words(
      'User-agent: a\u001b\nDisallow: /\u001b',
      'User-agent: *\u001b\nUser-agent: a\u001b\nAllow: /\u202e',
    ).join('');
    expect(text).not.toMatch(/[\p{Bidi_Control}\p{Cc}]/v);
  });
});
