import type { Agent } from '#libs/catalog';
import { decideRobotsAccess, parseRobotsFile, parseRobotsSignals } from '#libs/robots';
import { robotsTxt } from './robots-txt.js';

const agent = (robots_token: string | null): Agent => ({ robots_token }) as Agent;
const rule = (disallow: string): string => robotsTxt([agent('A')], disallow, 'blocks').split('\n')[1]!;

it('writes a sorted block for each token, ignoring case and duplicates', () => {
  const agents = ['b', 'A', null, 'C', 'B', 'a'].map(agent);
  expect(robotsTxt(agents, '/', 'blocks')).toBe(
    'User-agent: A\nDisallow: /\n\nUser-agent: B\nDisallow: /\n\nUser-agent: C\nDisallow: /\n',
  );
  expect(robotsTxt(agents.toReversed(), '/', 'blocks')).toBe(robotsTxt(agents, '/', 'blocks'));
  expect(robotsTxt(agents, '/x', 'grouped')).toBe('User-agent: A\nUser-agent: B\nUser-agent: C\nDisallow: /x\n');
});

it('returns empty text if no agent has a token', () => {
  expect(robotsTxt([], '/', 'blocks')).toBe('');
  expect(robotsTxt([agent(null)], '/', 'grouped')).toBe('');
});

it.each([
  ['/', 'Disallow: /'],
  ['', 'Disallow:'],
  ['/private/*.pdf$', 'Disallow: /private/*.pdf$'],
  ['private/', 'Disallow: /private/'],
  ['*.pdf$', 'Disallow: /*.pdf$'],
  ['  /a  ', 'Disallow: /a'],
  ['/a b', 'Disallow: /a%20b'],
  ['/a\u00a0b', 'Disallow: /a%C2%A0b'],
  ['/a#b', 'Disallow: /a%23b'],
  ['/%7Euser/%e4%zz', 'Disallow: /%7Euser/%e4%zz'],
  ['/käse', 'Disallow: /käse'],
  ['?sort=', 'Disallow: /?sort='],
])('encodes the path %j as RFC 9309 requires', (disallow, line) => {
  expect(rule(disallow)).toBe(line);
});

describe('usage signals', () => {
  const signals = {
    content_signal: { search: true, ai_input: false, ai_train: false },
    content_usage: { train_ai: false, search: true },
    license: 'https://shop.example/license.xml',
  };
  const usage = 'Content-Signal: search=yes, ai-input=no, ai-train=no\nContent-Usage: train-ai=n, search=y\n';
  const agents = ['A', 'B'].map(agent);

  it('includes signals in the group for everyone and in the group for each agent', () => {
    const start = `License: https://shop.example/license.xml\n\nUser-agent: *\n${usage}Disallow:\n`;
    const rules = `${usage}Disallow: /private/\n`;
    const blocks = robotsTxt(agents, '/private/', 'blocks', signals);
    expect(blocks).toBe(`${start}\nUser-agent: A\n${rules}\nUser-agent: B\n${rules}`);
    const grouped = robotsTxt(agents, '/private/', 'grouped', signals);
    expect(grouped).toBe(`${start}\nUser-agent: A\nUser-agent: B\n${rules}`);
    expect(robotsTxt([], '/', 'blocks', signals)).toBe(start);
  });

  it('includes the maximum use, and the use by AI models', () => {
    const uses = { content_signal: { use: 'reference' as const }, content_usage: { ai_use: false } };
    expect(robotsTxt([], '/', 'blocks', uses)).toContain('Content-Signal: use=reference\nContent-Usage: ai-use=n\n');
  });

  it("omits signals for agents that aren't allowed to fetch anything", () => {
    const text = robotsTxt(agents, '/*', 'grouped', { content_usage: { train_ai: false } });
    expect(text).toBe(
      'User-agent: *\nContent-Usage: train-ai=n\nDisallow:\n\nUser-agent: A\nUser-agent: B\nDisallow: /*\n',
    );
  });

  it('writes rules, signals and a license that our robots.txt parser reads back', () => {
    for (const format of ['blocks', 'grouped'] as const) {
      const bytes = new TextEncoder().encode(robotsTxt(agents, '/private/', format, signals));
      const file = parseRobotsFile(bytes);
      for (const [name, isAllowed] of [
        ['A', false],
        ['B', false],
        ['C', true],
      ] as const) {
        expect(decideRobotsAccess(file, name, '/private/x').isAllowed).toBe(isAllowed);
        expect(decideRobotsAccess(file, name, '/').isAllowed).toBe(true);
      }
      const read = parseRobotsSignals(bytes);
      const userAgentsWith = (kind: string): string[] => [
        ...new Set(read.flatMap((each) => (each.kind === kind ? each.userAgents : []))),
      ];
      expect([userAgentsWith('content-signal'), userAgentsWith('content-usage')]).toEqual([
        ['*', 'A', 'B'],
        ['*', 'A', 'B'],
      ]);
      expect(read.filter(({ kind }) => kind === 'license')).toMatchObject([{ url: signals.license, userAgents: [] }]);
    }
  });

  it('omits empty signals', () => {
    const emptySignals = { content_signal: {}, content_usage: null, license: null };
    expect(robotsTxt(agents, '/x', 'blocks', emptySignals)).toBe(robotsTxt(agents, '/x', 'blocks'));
  });
});
