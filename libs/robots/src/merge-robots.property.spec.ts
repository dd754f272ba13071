import * as fc from 'fast-check';
import { decideRobotsAccess } from './robots-decision.js';
import { mergeRobots } from './merge-robots.js';
import { findGroups, parseRobotsFile } from './robots-file.js';

const AGENTS = ['alpha', 'beta', 'gamma', 'delta'];
const PATHS = ['/', '/a', '/a/b', '/a/b/c?d=1', '/b', '/private/', '/private/faq', '/robots.txt'];
const RULE_PATHS = ['/', '/a', '/a/', '/a/b', '/*c', '/b$', '/private/', '*', ''];

const ending = fc.constantFrom('\n', '\r\n', '\r');
const siteLine = fc.oneof(
  fc.constantFrom(...AGENTS, '*', 'Alpha').map((name) => `User-agent: ${name}`),
  fc
    .tuple(fc.constantFrom('Allow', 'disallow'), fc.constantFrom(...RULE_PATHS))
    .map(([kind, path]) => `${kind}: ${path}`),
  fc.constantFrom(
    '',
    '# comment',
    'Sitemap: https://a.example/s',
    'Crawl-delay: 3',
    'Content-Signal: ai-train=yes',
    'License: https://a.example/1',
    'x',
  ),
);
const site = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.tuple(siteLine, ending), { maxLength: 14 }),
    fc.boolean(),
    fc.nat({ max: 14 }),
    fc.boolean(),
  )
  .map(([hasBom, lines, isComplete, position, hasSection]) => {
    const all = lines.map(([line, end]) => line + end);
    if (hasSection)
      all.splice(position, 0, '# agent-traffic begin\nUser-agent: old\nDisallow: /\n# agent-traffic end\n');
    const text = all.join('');
    return (hasBom ? '\uFEFF' : '') + (isComplete ? text : text.replace(/[\r\n]+$/, ''));
  });
const rules = fc
  .tuple(
    fc.subarray(AGENTS.slice(0, 3)),
    fc.constantFrom('/', '/private/', '/a', '/*c', ''),
    fc.boolean(),
    fc.constantFrom(
      '',
      'User-agent: *\nContent-Signal: ai-train=no\nDisallow:\n\n',
      'License: https://a.example/2\n\n',
    ),
  )
  .map(([names, path, isGrouped, shared]) => {
    const agents = names.map((name) => `User-agent: ${name}\n`);
    const groups = isGrouped && names.length > 0 ? [agents.join('')] : agents;
    return { names, path, text: shared + groups.map((group) => `${group}Disallow: ${path}\n`).join('\n') };
  });

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
const SECTION = /# agent-traffic begin[\s\S]*# agent-traffic end(?:\r\n|\r|\n|$)/;

it('combines the decisions of the site and the rules for chosen agents, and changes no other decision', () => {
  fc.assert(
    fc.property(site, rules, (siteText, { names, path, text }) => {
      const merged = mergeRobots(encode(siteText), encode(text)).content;
      const ownText = siteText.replace(SECTION, '');
      const [own, result] = [parseRobotsFile(encode(ownText)), parseRobotsFile(merged)];
      for (const agent of [...AGENTS, 'old', 'other']) {
        const isChosen = names.includes(agent);
        const groups = own.byName.get(agent) ?? (path === '/' || path === '' ? [] : findGroups(own, agent));
        const lines = groups.flatMap((group) => group.rules).map((rule) => rule.text);
        const expected = isChosen
          ? parseRobotsFile(encode(['User-agent: *', ...lines, `Disallow: ${path}`].join('\n')))
          : own;
        for (const page of PATHS) {
          expect(decideRobotsAccess(result, agent, page).isAllowed).toBe(
            decideRobotsAccess(expected, agent, page).isAllowed,
          );
        }
      }
    }),
    { numRuns: 2_000, seed: 20_261_201 },
  );
});

it("returns the same file if the rules are merged again, and keeps the site's other lines", () => {
  fc.assert(
    fc.property(site, rules, (siteText, { text }) => {
      const { content, lines } = mergeRobots(encode(siteText), encode(text));
      expect(decode(mergeRobots(content, encode(text)).content)).toBe(decode(content));
      const isOther = (line: string): boolean => line !== '' && !/^(?:Content-Signal|License)/.test(line);
      const toLines = (file: string): string[] =>
        file
          .replace(SECTION, '')
          .replace('\uFEFF', '')
          .split(/\r\n|\r|\n/)
          .filter(isOther);
      expect(toLines(decode(content))).toEqual(toLines(siteText));
      const kept = lines.filter(({ change }) => change !== 'removed').map((line) => line.text);
      expect(kept.filter((line) => line !== '')).toEqual(
        decode(content)
          .replace('\uFEFF', '')
          .split(/\r\n|\r|\n/)
          .filter((line) => line !== ''),
      );
    }),
    { numRuns: 2_000, seed: 20_261_201 },
  );
});
