import { measureGrowth, MAX_GROWTH } from '../../../test/kit/cost.js';
import { mergeRobots } from './merge-robots.js';

const RULES = 'User-agent: GPTBot\nDisallow: /\n';
const SECTION = `# agent-traffic begin\n${RULES}# agent-traffic end\n`;
const merge = (site: string, rules = RULES) => {
  const { content, ...merged } = mergeRobots(Buffer.from(site, 'latin1'), Buffer.from(rules, 'latin1'));
  return { text: Buffer.from(content).toString('latin1'), ...merged };
};
const mergeText = (site: string, rules?: string): string => merge(site, rules).text;

it('appends the section on the first run and replaces it on later runs', () => {
  const own = 'User-agent: *\nDisallow: /caf\xe9\n';
  const text = mergeText(own);
  expect(text).toBe(`${own}\n${SECTION}`);
  expect(mergeText(text)).toBe(text);
  expect(mergeText(text, 'User-agent: x\nDisallow: /\n')).toBe(text.replace('GPTBot', 'x'));
  expect(mergeText(text, '')).toBe(`${own}\n# agent-traffic begin\n# agent-traffic end\n`);
});

it('starts the section on a new line, after a blank line', () => {
  expect(mergeText('')).toBe(SECTION);
  expect(mergeText('User-agent: *\nDisallow:')).toBe(`User-agent: *\nDisallow:\n\n${SECTION}`);
  expect(mergeText('# a')).toBe(`# a\n\n${SECTION}`);
  expect(mergeText('# a\n\n')).toBe(`# a\n\n${SECTION}`);
});

it("doesn't change the file if it already has the same effect", () => {
  for (const site of ['User-agent: gptbot\nDisallow: /', '', '# a']) {
    const { text, lines } = merge(site, site === '' || site === '# a' ? '' : RULES);
    expect(text).toBe(site);
    expect(lines.every(({ change }) => change === null)).toBe(true);
  }
});

it("uses the file's line endings and preserves all other bytes", () => {
  const own = '\xef\xbb\xbfSitemap: https://example.com/s\r\nUser-agent: a\r\nDisallow: /\xff\0\x85\r\n';
  expect(mergeText(own)).toBe(`${own}\r\n${SECTION.replaceAll('\n', '\r\n')}`);
  const before = '\xef\xbb\xbfSitemap: https://example.com/s\r\rUser-agent: a\nDisallow: /\xff\0\x85\n';
  const after = '\r\nUser-agent: b\rDisallow: /# agent-traffic end\r\n \t';
  for (const [begin, end] of [
    ['# agent-traffic begin\r\n', '# agent-traffic end\r\n'],
    ['# agent-traffic begin \t\r', '# agent-traffic end\n'],
  ]) {
    expect(mergeText(`${before}${begin}old${end!.slice(-1)}${end}${after}`)).toBe(
      before + SECTION.replaceAll('\n', '\r') + after,
    );
  }
  expect(mergeText(`\xef\xbb\xbf${SECTION}# x`)).toBe(`\xef\xbb\xbf${SECTION}# x`);
  expect(mergeText(SECTION.slice(0, -1))).toBe(SECTION);
});

it.each([
  ['# agent-traffic begin\n'],
  ['# agent-traffic end\n'],
  ['# agent-traffic end\n# agent-traffic begin\n'],
  [SECTION + SECTION],
  ['# agent-traffic begin\n# agent-traffic begin\n# agent-traffic end\n'],
])('rejects unpaired section lines: %j', (site) => {
  expect(() => merge(site)).toThrow('exactly one "# agent-traffic begin" line');
});

it("doesn't merge the section with the site's groups", () => {
  const closed = SECTION.replace('User', 'Disallow:\nUser');
  expect(mergeText('User-agent: *\n')).toBe(`User-agent: *\n\n${closed}`);
  expect(mergeText('User-agent: *\nSitemap: /s\n# so\n')).toBe(`User-agent: *\nSitemap: /s\n# so\n\n${closed}`);
  // The rule after the section belongs to the group before it, so the section moves to the end.
  const group = 'User-agent: x\nDisallow: /y\n';
  expect(mergeText(`${group}${SECTION}Disallow: /z`)).toBe(`${group}Disallow: /z\n\n${SECTION}`);
  expect(mergeText(`User-agent: x\n${SECTION}User-agent: z\nDisallow: /\n`)).toBe(
    `User-agent: x\nUser-agent: z\nDisallow: /\n\n${SECTION}`,
  );
  expect(mergeText(`${group}${SECTION}\nUser-agent: z\nDisallow:`)).toContain(`${SECTION}\nUser-agent: z`);
});

it('repeats the rules for * in new groups, unless the rules apply to all paths', () => {
  const site = 'User-agent: *\nCrawl-delay: 5\nDisallow: /admin/\nAllow: /private/faq\n';
  const rules = 'User-agent: a\nDisallow: /private/\n\nUser-agent: b\nDisallow: /private/\n';
  const { text, contradictions } = merge(site, rules);
  expect(text).toContain(
    'begin\nUser-agent: a\nUser-agent: b\nCrawl-delay: 5\nDisallow: /admin/\nAllow: /private/faq\nDisallow: /private/\n#',
  );
  expect(contradictions).toEqual([{ name: '*', line: expect.objectContaining({ line: 4 }) }]);
  for (const path of ['/', '/*', '*', '']) {
    expect(mergeText(site, `User-agent: a\nDisallow: ${path}\n`)).toContain(
      `begin\nUser-agent: a\nDisallow: ${path}`.trimEnd(),
    );
  }
});

it("reports the agents that the site's own groups name and the lines that override the rules", () => {
  const site = `${SECTION}\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: gptbot\nAllow: /news/\nDisallow: /x\n`;
  const { text, covered, named, contradictions } = merge(site, 'User-agent: CCBot\nUser-agent: GPTBot\nDisallow: /\n');
  expect(text).toContain('begin\nUser-agent: GPTBot\nDisallow: /\n# agent');
  const lineOf = ({ line }: { line: { line: number; text: string } }) => text.split('\n')[line.line - 1];
  expect(covered.map((one) => [one.name, lineOf(one)])).toEqual([['CCBot', 'User-agent: CCBot']]);
  expect(named.map((one) => [one.name, lineOf(one)])).toEqual([['GPTBot', 'User-agent: gptbot']]);
  expect(contradictions.map((one) => [one.name, lineOf(one)])).toEqual([['GPTBot', 'Allow: /news/']]);
});

it('reports rules that contradict permission for everything', () => {
  const { text, contradictions } = merge('User-agent: a\nDisallow: /x\n', 'User-agent: a\nDisallow:\n');
  expect(text).toBe('User-agent: a\nDisallow: /x\n');
  expect(contradictions.map(({ line }) => line.text)).toEqual(['Disallow: /x']);
});

it("changes the site's own preferences and license instead of contradicting them", () => {
  const rules =
    'License: https://a.example/new\n\nUser-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=n\nDisallow:\n';
  const site =
    'License: https://a.example/old\nUser-agent: *\ncontent-signal:  search=YES, x=1,ai-train=yes # ours\nContent-Usage: /a train-ai=y\nDisallow: /b\n';
  const { text, lines } = merge(site, rules);
  expect(text).toBe(
    'License: https://a.example/new\nUser-agent: *\ncontent-signal:  search=YES, x=1, ai-train=no # ours\nContent-Usage: /a train-ai=y\nDisallow: /b\n' +
      '\n# agent-traffic begin\nUser-agent: *\nContent-Usage: train-ai=n\nDisallow:\n# agent-traffic end\n',
  );
  expect(lines.filter(({ change }) => change === 'removed').map(({ text: line }) => line)).toEqual([
    'License: https://a.example/old',
    'content-signal:  search=YES, x=1,ai-train=yes # ours',
  ]);
  expect(mergeText(text, rules)).toBe(text);
});

it('adds a license if the site has several other ones', () => {
  const site = 'License: https://a.example/1\nLicense: https://a.example/2\n';
  const license = 'License: https://a.example/3\n';
  expect(mergeText(site, license)).toBe(`${site}\n# agent-traffic begin\n${license}# agent-traffic end\n`);
  expect(mergeText(site, 'License: https://a.example/2\n')).toBe(site);
});

it('returns the lines that change', () => {
  const { lines } = merge(`# a\n${SECTION}# b\n`, 'User-agent: x\nDisallow: /\n');
  expect(lines).toEqual([
    { text: '# a', change: null },
    { text: 'User-agent: GPTBot', change: 'removed' },
    { text: '# agent-traffic begin', change: null },
    { text: 'User-agent: x', change: 'added' },
    { text: 'Disallow: /', change: null },
    { text: '# agent-traffic end', change: null },
    { text: '# b', change: null },
  ]);
});

it('merges large files in linear time', async () => {
  const createWork = (size: number) => {
    const site = Array.from({ length: size }, (_, index) => `User-agent: site${index}\nDisallow: /${index}\n`).join(
      '\n',
    );
    const rules = Array.from({ length: size }, (_, index) => `User-agent: new${index}\nDisallow: /a\n`).join('\n');
    return () => expect(merge(site, rules).covered).toEqual([]);
  };
  expect(await measureGrowth(createWork, 100)).toBeLessThan(MAX_GROWTH);
});

it('keeps all lines of a file of 500 KiB', () => {
  const site = 'User-agent: a\nDisallow: /path/to/page\n\n'.repeat(12_500);
  expect(mergeText(site)).toBe(`${site}${SECTION}`);
});
