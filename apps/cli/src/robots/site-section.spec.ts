import { insertSection } from './site-section.js';

const RULES = 'User-agent: GPTBot\nDisallow: /\n';
const SECTION = `# agent-traffic begin\n${RULES}# agent-traffic end\n`;
const insert = (site: string, rules = RULES) => {
  const { content, notes } = insertSection('robots.txt', Buffer.from(site, 'latin1'), Buffer.from(rules));
  return { text: content.toString('latin1'), notes };
};

it('appends the section on the first run and replaces it on later runs', () => {
  const own = 'User-agent: *\r\nDisallow: /caf\xe9\r\n';
  const { text } = insert(own);
  expect(text).toBe(`${own}\n${SECTION}`);
  expect(insert(text).text).toBe(text);
  expect(insert(text, 'User-agent: x\nAllow: /\n').text).toBe(text.replace(RULES, 'User-agent: x\nAllow: /\n'));
  expect(insert(text, '').text).toBe(`${own}\n# agent-traffic begin\n# agent-traffic end\n`);
});

it('starts the section on a new line', () => {
  expect(insert('').text).toBe(SECTION);
  expect(insert('User-agent: *\nDisallow:').text).toBe(`User-agent: *\nDisallow:\n\n${SECTION}`);
  expect(insert('# a').text).toBe(`# a\n\n${SECTION}`);
});

it('preserves the rest of the file byte for byte', () => {
  const before = '\xef\xbb\xbfSitemap: https://example.com/s\r\rUser-agent: a\nDisallow: /\xff\0\x85\n';
  const after = '\r\nUser-agent: b\rDisallow: /# agent-traffic end\r\n \t';
  for (const [begin, end] of [
    ['# agent-traffic begin\r\n', '# agent-traffic end\r\n'],
    ['# agent-traffic begin \t\r', '# agent-traffic end\n'],
  ]) {
    expect(insert(`${before}${begin}old${end!.slice(-1)}${end}${after}`).text).toBe(before + SECTION + after);
  }
  expect(insert(`\xef\xbb\xbf${SECTION}# x`).text).toBe(`\xef\xbb\xbf${SECTION}# x`);
  expect(insert(SECTION.slice(0, -1)).text).toBe(SECTION);
});

it.each([
  ['# agent-traffic begin\n'],
  ['# agent-traffic end\n'],
  ['# agent-traffic end\n# agent-traffic begin\n'],
  [SECTION + SECTION],
  ['# agent-traffic begin\n# agent-traffic begin\n# agent-traffic end\n'],
])('rejects unpaired section markers: %j', (site) => {
  expect(() => insert(site)).toThrow('line. The file was not changed.');
});

it("rejects a section that would merge with one of the site's groups", () => {
  expect(() => insert('User-agent: *\n')).toThrow(
    'merge with the group that contains line 1 "User-agent: *" in robots.txt',
  );
  expect(() => insert('User-agent: *\nSitemap: /s\n# so\n')).toThrow('line 1 "User-agent: *"');
  expect(() => insert(`User-agent: x\nDisallow: /y\n${SECTION}Disallow: /z`)).toThrow('line 7 "Disallow: /z"');
  expect(insert(`User-agent: x\nDisallow: /y\n${SECTION}\nUser-agent: z\nDisallow:`).notes).toEqual([]);
  expect(insert('User-agent: *\nDisallow:\n').text).toContain(SECTION);
});

it('warns if agents are no longer bound by the group for *', () => {
  const site = 'User-agent: *\nDisallow: /admin/\n';
  const narrow = 'User-agent: a\nDisallow: /private/\n';
  expect(insert(site, narrow).notes).toEqual([
    'These agents no longer follow the group at line 1 "User-agent: *", because they now have their own group.',
  ]);
  expect(insert(insert(site, narrow).text, narrow).notes).toHaveLength(1);
  expect(insert('User-agent: *\nAllow: /\n', narrow).notes).toEqual([]);
  for (const all of ['/', '/*', '*']) expect(insert(site, `User-agent: a\nDisallow: ${all}\n`).notes).toEqual([]);
});

it('warns about agents that the site already names and about files over the size limit', () => {
  expect(insert('User-agent: gptbot\nAllow: /\n').notes).toEqual([
    'Other groups in the file also name 1 of these agents, so the rules of both groups apply: GPTBot (line 1)',
  ]);
  expect(insert('User-agent: *\nAllow: /\n').notes).toEqual([]);
  expect(insert(`#${' '.repeat(512_000)}\n`).notes).toEqual([expect.stringContaining('longer than 500 KiB')]);
});
