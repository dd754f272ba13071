import { withSection } from './site-section.js';

const RULES = 'User-agent: GPTBot\nDisallow: /\n';
const SECTION = `# agent-traffic begin\n${RULES}# agent-traffic end\n`;
const put = (site: string, rules = RULES) => {
  const { content, notes } = withSection('robots.txt', Buffer.from(site, 'latin1'), Buffer.from(rules));
  return { text: content.toString('latin1'), notes };
};

it('appends the section, and replaces it the next time', () => {
  const own = 'User-agent: *\r\nDisallow: /caf\xe9\r\n';
  const { text } = put(own);
  expect(text).toBe(`${own}\n${SECTION}`);
  expect(put(text).text).toBe(text);
  expect(put(text, 'User-agent: x\nAllow: /\n').text).toBe(text.replace(RULES, 'User-agent: x\nAllow: /\n'));
  expect(put(text, '').text).toBe(`${own}\n# agent-traffic begin\n# agent-traffic end\n`);
});

it('starts the section on a new line', () => {
  expect(put('').text).toBe(SECTION);
  expect(put('User-agent: *\nDisallow:').text).toBe(`User-agent: *\nDisallow:\n\n${SECTION}`);
  expect(put('# a').text).toBe(`# a\n\n${SECTION}`);
});

it('preserves the rest of the file byte for byte', () => {
  const before = '\xef\xbb\xbfSitemap: https://example.com/s\r\rUser-agent: a\nDisallow: /\xff\0\x85\n';
  const after = '\r\nUser-agent: b\rDisallow: /# agent-traffic end\r\n \t';
  for (const [begin, end] of [
    ['# agent-traffic begin\r\n', '# agent-traffic end\r\n'],
    ['# agent-traffic begin \t\r', '# agent-traffic end\n'],
  ]) {
    expect(put(`${before}${begin}old${end!.slice(-1)}${end}${after}`).text).toBe(before + SECTION + after);
  }
  expect(put(`\xef\xbb\xbf${SECTION}# x`).text).toBe(`\xef\xbb\xbf${SECTION}# x`);
  expect(put(SECTION.slice(0, -1)).text).toBe(SECTION);
});

it.each([
  ['# agent-traffic begin\n'],
  ['# agent-traffic end\n'],
  ['# agent-traffic end\n# agent-traffic begin\n'],
  [SECTION + SECTION],
  ['# agent-traffic begin\n# agent-traffic begin\n# agent-traffic end\n'],
])('rejects unpaired markers: %j', (site) => {
  expect(() => put(site)).toThrow('are not a pair; the file was not changed');
});

it('refuses to merge the section with a group of the site', () => {
  expect(() => put('User-agent: *\n')).toThrow('one group with line 1 "User-agent: *" of robots.txt');
  expect(() => put('User-agent: *\nSitemap: /s\n# so\n')).toThrow('line 1 "User-agent: *"');
  expect(() => put(`User-agent: x\nDisallow: /y\n${SECTION}Disallow: /z`)).toThrow('line 7 "Disallow: /z"');
  expect(put(`User-agent: x\nDisallow: /y\n${SECTION}\nUser-agent: z\nDisallow:`).notes).toEqual([]);
  expect(put('User-agent: *\nDisallow:\n').text).toContain(SECTION);
});

it('warns that agents are no longer bound by the group for *', () => {
  const site = 'User-agent: *\nDisallow: /admin/\n';
  const narrow = 'User-agent: a\nDisallow: /private/\n';
  expect(put(site, narrow).notes).toEqual([
    'These agents no longer obey the group of line 1 "User-agent: *": being named, they obey their own only.',
  ]);
  expect(put(put(site, narrow).text, narrow).notes).toHaveLength(1);
  expect(put('User-agent: *\nAllow: /\n', narrow).notes).toEqual([]);
  for (const all of ['/', '/*', '*']) expect(put(site, `User-agent: a\nDisallow: ${all}\n`).notes).toEqual([]);
});

it('warns about agents that the site already names, and about an overlong file', () => {
  expect(put('User-agent: gptbot\nAllow: /\n').notes).toEqual([
    "The file's own groups name 1 of these agents as well, and the rules of both count: GPTBot (line 1)",
  ]);
  expect(put('User-agent: *\nAllow: /\n').notes).toEqual([]);
  expect(put(`#${' '.repeat(512_000)}\n`).notes).toEqual([expect.stringContaining('longer than 500 KiB')]);
});
