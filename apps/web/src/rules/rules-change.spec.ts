import { growth, MAX_GROWTH } from '../../../../test/kit/cost.js';
import { changeText, rulesChange } from './rules-change.js';

const blocks = (...tokens: string[]): string => tokens.map((token) => `User-agent: ${token}\nDisallow: /\n`).join('\n');
const namesOf = (change: ReturnType<typeof rulesChange>) => ({
  added: change.added.map(({ name }) => name),
  removed: change.removed.map(({ name }) => name),
  changed: change.changed.map(({ name }) => name),
});

it('finds added and removed agents in every format', () => {
  const expected = { added: ['B', 'D'], removed: ['A'], changed: [] };
  expect(namesOf(rulesChange(blocks('A', 'c'), blocks('B', 'c', 'D'), 'blocks'))).toEqual(expected);
  const grouped = (...tokens: string[]) => `${tokens.map((token) => `User-agent: ${token}\n`).join('')}Disallow: /\n`;
  expect(namesOf(rulesChange(grouped('A', 'c'), grouped('B', 'c', 'D'), 'grouped'))).toEqual(expected);
  expect(namesOf(rulesChange('["A","c"]', '["B","c","D"]', 'json'))).toEqual(expected);
  expect(namesOf(rulesChange('A\nc\n', 'B\nc\nD\n', 'text'))).toEqual(expected);
  const map = (version: string, ...tokens: string[]) =>
    `# refuses; catalog ${version}.\n# Save as x\n\nmap {\n    default 0;\n\n${tokens.map((token) => `    # ${token}\n    "~*${token}" 1;\n`).join('\n')}}\n`;
  const ofMap = rulesChange(map('1', 'A', 'c', 'z'), map('2', 'B', 'c', 'D', 'z'), 'nginx-map');
  expect(namesOf(ofMap)).toEqual(expected);
  expect(changeText(ofMap)).toBe('2 agents added, 1 removed');
});

it('returns the old and new rules of changed agents', () => {
  const change = rulesChange(blocks('A'), blocks('A').replace('/', '/private/'), 'blocks');
  expect(change.changed).toEqual([
    { name: 'A', before: ['User-agent: A', 'Disallow: /'], now: ['User-agent: A', 'Disallow: /private/'] },
  ]);
  expect(changeText(change)).toBe('1 agent changed');
});

it('counts only agents, and mentions changed lines for all agents', () => {
  const signal = 'User-agent: *\nContent-Signal: ai-train=no\nDisallow:\n';
  const license = 'License: https://shop.example/license.xml\n';
  expect(changeText(rulesChange(blocks('A'), `${license}\n${signal}\n${blocks('A', 'B')}`, 'blocks'))).toBe(
    '1 agent added, lines for all agents changed',
  );
  const grouped = 'User-agent: A\nDisallow: /\n';
  const change = rulesChange(grouped, `${license}\n${signal}\n${grouped}`, 'grouped');
  expect(changeText(change)).toBe('lines for all agents changed');
  expect(namesOf(change).added).toEqual(['*', 'Content-Signal', 'License']);
});

it('finds no difference between equal rules, and every agent if there were no rules', () => {
  expect(changeText(rulesChange(blocks('A', 'B'), blocks('B', 'A'), 'blocks'))).toBe('');
  expect(namesOf(rulesChange('', blocks('A'), 'blocks'))).toEqual({ added: ['A'], removed: [], changed: [] });
});

it('compares in linear time', async () => {
  const workOf = (size: number) => {
    const many = blocks(...Array.from({ length: size }, (_, index) => `Agent${index}`));
    return () => expect(rulesChange(many, blocks('Other'), 'blocks').removed).toHaveLength(size);
  };
  expect(await growth(workOf, 150)).toBeLessThan(MAX_GROWTH);
});
