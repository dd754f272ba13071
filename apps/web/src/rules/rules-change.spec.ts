import { measureGrowth, MAX_GROWTH } from '../../../../test/kit/cost.js';
import { summarizeChange, diffRules } from './rules-change.js';

const blocks = (...tokens: string[]): string => tokens.map((token) => `User-agent: ${token}\nDisallow: /\n`).join('\n');
const toNames = (change: ReturnType<typeof diffRules>) => ({
  added: change.added.map(({ name }) => name),
  removed: change.removed.map(({ name }) => name),
  changed: change.changed.map(({ name }) => name),
});

it('finds added and removed agents in every format', () => {
  const expected = { added: ['B', 'D'], removed: ['A'], changed: [] };
  expect(toNames(diffRules(blocks('A', 'c'), blocks('B', 'c', 'D'), 'blocks'))).toEqual(expected);
  const grouped = (...tokens: string[]) => `${tokens.map((token) => `User-agent: ${token}\n`).join('')}Disallow: /\n`;
  expect(toNames(diffRules(grouped('A', 'c'), grouped('B', 'c', 'D'), 'grouped'))).toEqual(expected);
  expect(toNames(diffRules('["A","c"]', '["B","c","D"]', 'json'))).toEqual(expected);
  expect(toNames(diffRules('A\nc\n', 'B\nc\nD\n', 'text'))).toEqual(expected);
  const map = (version: string, ...tokens: string[]) =>
    `# blocks; catalog ${version}.\n# Save as x\n\nmap {\n    default 0;\n\n${tokens.map((token) => `    # ${token}\n    "~*${token}" 1;\n`).join('\n')}}\n`;
  const mapChange = diffRules(map('1', 'A', 'c', 'z'), map('2', 'B', 'c', 'D', 'z'), 'nginx-map');
  expect(toNames(mapChange)).toEqual(expected);
  expect(summarizeChange(mapChange)).toBe('2 agents added, 1 removed');
});

it('returns the old and new rules for changed agents', () => {
  const change = diffRules(blocks('A'), blocks('A').replace('/', '/private/'), 'blocks');
  expect(change.changed).toEqual([
    { name: 'A', before: ['User-agent: A', 'Disallow: /'], now: ['User-agent: A', 'Disallow: /private/'] },
  ]);
  expect(summarizeChange(change)).toBe('1 agent changed');
});

it('counts changed agents and mentions changed lines for all agents separately', () => {
  const signal = 'User-agent: *\nContent-Signal: ai-train=no\nDisallow:\n';
  const license = 'License: https://shop.example/license.xml\n';
  expect(summarizeChange(diffRules(blocks('A'), `${license}\n${signal}\n${blocks('A', 'B')}`, 'blocks'))).toBe(
    '1 agent added, lines for all agents changed',
  );
  const grouped = 'User-agent: A\nDisallow: /\n';
  const change = diffRules(grouped, `${license}\n${signal}\n${grouped}`, 'grouped');
  expect(summarizeChange(change)).toBe('lines for all agents changed');
  expect(toNames(change).added).toEqual(['*', 'Content-Signal', 'License']);
});

it('reports equal rules as unchanged, and all agents as added if there were no rules', () => {
  expect(summarizeChange(diffRules(blocks('A', 'B'), blocks('B', 'A'), 'blocks'))).toBe('');
  expect(toNames(diffRules('', blocks('A'), 'blocks'))).toEqual({ added: ['A'], removed: [], changed: [] });
});

it('compares rules in linear time', async () => {
  const createWork = (size: number) => {
    const many = blocks(...Array.from({ length: size }, (_, index) => `Agent${index}`));
    return () => expect(diffRules(many, blocks('Other'), 'blocks').removed).toHaveLength(size);
  };
  expect(await measureGrowth(createWork, 150)).toBeLessThan(MAX_GROWTH);
});
