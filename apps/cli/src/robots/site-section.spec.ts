import { insertSection } from './site-section.js';

const RULES = 'User-agent: GPTBot\nDisallow: /\n';
const SECTION = `# agent-traffic begin\n${RULES}# agent-traffic end\n`;
const insert = (site: string, rules = RULES) => {
  const { content, notes } = insertSection('robots.txt', Buffer.from(site, 'latin1'), Buffer.from(rules));
  return { text: content.toString('latin1'), notes };
};

it('merges the rules into the file', () => {
  expect(insert('User-agent: *\nDisallow: /a\n')).toEqual({
    text: `User-agent: *\nDisallow: /a\n\n${SECTION}`,
    notes: [],
  });
});

it('rejects unpaired section lines', () => {
  expect(() => insert('# agent-traffic begin\n')).toThrow('robots.txt was not changed. The file must contain exactly');
});

it('reports agents that the site already names and lines that contradict the rules', () => {
  expect(insert('User-agent: gptbot\nAllow: /\n').notes).toEqual([
    'Also named by other groups, so the rules of both apply: GPTBot (line 1)',
    'Lines that contradict these rules: line 2, "Allow: /", for GPTBot',
  ]);
  expect(insert('User-agent: gptbot\nDisallow: /\n')).toEqual({
    text: 'User-agent: gptbot\nDisallow: /\n',
    notes: ['Not added, because other groups already have the same effect: GPTBot (line 1)'],
  });
});

it('warns about files over the size limit', () => {
  expect(insert(`#${' '.repeat(512_000)}\n`).notes).toEqual([expect.stringContaining('longer than 500 KiB')]);
});
