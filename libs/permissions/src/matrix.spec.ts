import { createMatrix, type PermissionSources } from './matrix.js';
import type { ObservedVisit } from './observed-statements.js';
import { readRobotsStatements, type PermissionAgent } from './robots-statements.js';
import { parseLicense } from './rsl-license.js';

const agent = (agentToken: string, purpose: PermissionAgent['purpose']): PermissionAgent => ({
  agentToken,
  robotsToken: agentToken,
  purpose,
});
const AGENTS = [
  agent('GPTBot', 'training'),
  agent('CCBot', 'training'),
  agent('Bytespider', 'training'),
  agent('Googlebot', 'search'),
  agent('OAI-SearchBot', 'search'),
  agent('ChatGPT-User', 'user'),
];
const license = (terms: string) => [
  {
    url: 'https://shop.example/license.xml',
    contents: parseLicense(
      Buffer.from(
        `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license>${terms}</license></content></rsl>`,
      ),
    ).contents,
  },
];

let nextId = 0;
const visit = (agentToken: string, facts: Partial<ObservedVisit> = {}): ObservedVisit => ({
  ...AGENTS.find((known) => known.agentToken === agentToken)!,
  id: `visit-${nextId++}`,
  path: `/page/${nextId}`,
  status: 200,
  isChallenge: false,
  isDisallowed: false,
  contentUsage: null,
  xRobotsTags: [],
  ...facts,
});
const visits = (agentToken: string, count: number, facts: Partial<ObservedVisit> = {}): ObservedVisit[] =>
  Array.from({ length: count }, () => visit(agentToken, facts));

const create = (robotsTxt: string | null, more: Partial<PermissionSources> = {}) =>
  createMatrix({
    host: 'shop.example',
    robots: { text: robotsTxt, isUnreachable: false },
    licenses: [],
    agents: AGENTS,
    visits: [],
    ...more,
  });
type Matrix = ReturnType<typeof create>;
const listContradictions = ({ contradictions }: Matrix): string[] =>
  contradictions.map(
    ({ purpose, mechanism, restrictions }) =>
      `${purpose}: ${mechanism} < ${[...new Set(restrictions.map((restriction) => restriction.mechanism))].join(', ')}`,
  );
const outcomesOf = ({ rows }: Matrix): Record<string, string | null> =>
  Object.fromEntries(rows.map(({ purpose, outcome }) => [purpose, outcome]));
const cellOf = ({ rows }: Matrix, purpose: string, mechanism: string) =>
  rows.find((row) => row.purpose === purpose)!.cells.find((cell) => cell.mechanism === mechanism)!;

/** Each contradiction concerns a different mechanism or purpose. */
const CONTRADICTORY = `User-agent: *
Content-Signal: search=yes, ai-train=yes, ai-input=yes
Content-Usage: train-ai=n, search=y
Disallow: /cart

User-agent: GPTBot
Allow: /

User-agent: CCBot
Disallow: /
Content-Usage: train-ai=y

User-agent: ai-training
Disallow: /

License: https://shop.example/license.xml
`;
const CONTRADICTORY_VISITS = [
  // A header that forbids what robots.txt allows.
  ...visits('Googlebot', 4, { xRobotsTags: ['noindex'] }),
  ...visits('OAI-SearchBot', 4, { xRobotsTags: ['noindex'] }),
  // A firewall that refuses what robots.txt allows.
  ...visits('ChatGPT-User', 5, { status: 403 }),
];

describe('createMatrix', () => {
  it('finds exactly the seven contradictions of a site', () => {
    const matrix = create(CONTRADICTORY, {
      licenses: license('<prohibits type="usage">ai-input</prohibits>'),
      visits: CONTRADICTORY_VISITS,
    });
    expect(listContradictions(matrix)).toEqual([
      'training: robots_rules < purpose_token',
      'training: content_signal < content_usage, purpose_token',
      'training: content_usage < robots_rules, purpose_token',
      'search: content_signal < x_robots_tag',
      'search: content_usage < x_robots_tag',
      'user: robots_rules < served',
      'user: content_signal < license',
    ]);
    expect(outcomesOf(matrix)).toEqual({ training: 'disallowed', search: 'disallowed', user: 'disallowed' });
    expect(matrix.contradictions[0]).toMatchObject({ agents: ['GPTBot'], permissions: [{ line: 7 }], visits: [] });
    expect(matrix.contradictions[1]).toMatchObject({ agents: ['Bytespider'], permissions: [{ line: 2 }] });
    expect(matrix.contradictions[3]!.visits).toEqual(CONTRADICTORY_VISITS.slice(0, 8));
    expect(matrix.contradictions[5]).toMatchObject({
      agents: ['ChatGPT-User'],
      restrictions: [{ outcome: 'disallowed' }],
    });
    expect(matrix.contradictions[5]!.visits).toEqual(CONTRADICTORY_VISITS.slice(8));
  });

  it('finds none on a consistent site', () => {
    const matrix = create(
      `User-agent: *
Content-Signal: search=yes, ai-train=no, use=reference
Content-Usage: train-ai=n, search=y
Allow: /
Disallow: /cart

User-agent: GPTBot
User-agent: CCBot
Disallow: /

User-agent: ai-training
Disallow: /

License: https://shop.example/license.xml`,
      {
        licenses: license('<permits>search</permits><prohibits>ai-train</prohibits>'),
        visits: [
          ...visits('Googlebot', 10, { contentUsage: 'train-ai=n, search=y', xRobotsTags: ['noai'] }),
          // Single pages can have other rules than the rest.
          visit('Googlebot', { xRobotsTags: ['noindex'] }),
          visit('Googlebot', { status: 403 }),
          ...visits('GPTBot', 5, { status: 403, isDisallowed: true }),
          ...visits('ChatGPT-User', 5, { status: 429 }),
        ],
      },
    );
    expect(listContradictions(matrix)).toEqual([]);
    expect(outcomesOf(matrix)).toEqual({ training: 'disallowed', search: 'allowed', user: null });
    expect(cellOf(matrix, 'training', 'robots_rules').outcome).toBe('mixed');
    expect(matrix.rows[2]!.answers).toMatchObject({ slowed: 5 });
  });

  it('finds none in the example of draft-ietf-aipref-attach-05, and allows nothing without a statement', () => {
    const matrix = create('User-Agent: *\nAllow: /\nContent-Usage: train-ai=n\n');
    expect(listContradictions(matrix)).toEqual([]);
    expect(outcomesOf(matrix)).toEqual({ training: 'disallowed', search: null, user: null });
    expect(outcomesOf(create(null))).toEqual({ training: null, search: null, user: null });
    expect(cellOf(create(null), 'training', 'robots_rules')).toMatchObject({ outcome: 'allowed' });
  });

  it('finds contradictions within one mechanism', () => {
    const matrix = create(
      'User-agent: *\nContent-Signal: search=yes, ai-train=yes, use=immediate\nContent-Usage: ai-use=y\nContent-Usage: ai-use=n',
    );
    expect(listContradictions(matrix)).toEqual([
      'training: content_signal < content_signal',
      'search: content_signal < content_signal',
      'user: content_signal < content_usage',
      'user: content_usage < content_usage',
    ]);
  });

  it('does not mistake a license that costs money for a contradiction of a refusal', () => {
    const paid = license('<permits>ai-train</permits><payment type="crawl"/>');
    const refusing = create('User-agent: *\nContent-Signal: ai-train=no', { licenses: paid });
    expect(listContradictions(refusing)).toEqual([]);
    expect(cellOf(refusing, 'training', 'license').outcome).toBe('conditional');
    const free = create('User-agent: *\nContent-Signal: ai-train=yes', { licenses: paid });
    expect(listContradictions(free)).toEqual(['training: content_signal < license']);
    expect(outcomesOf(free)).toMatchObject({ training: 'conditional' });
  });

  it('compares prices with licenses, but not with robots.txt', () => {
    const charged = visits('GPTBot', 5, { status: 402 });
    expect(listContradictions(create('', { visits: charged }))).toEqual([]);
    const free = create('', {
      visits: charged,
      licenses: license('<permits>ai-train</permits><payment type="free"/>'),
    });
    expect(listContradictions(free)).toEqual(['training: license < served']);
  });

  it('counts challenges as refusals, and needs three requests', () => {
    const challenged = create('', { visits: visits('GPTBot', 3, { status: 202, isChallenge: true }) });
    expect(listContradictions(challenged)).toEqual(['training: robots_rules < served']);
    expect(listContradictions(create('', { visits: visits('GPTBot', 2, { status: 403 }) }))).toEqual([]);
  });

  it('treats everything as disallowed while robots.txt is unreachable', () => {
    const matrix = create(null, { robots: { text: null, isUnreachable: true } });
    expect(outcomesOf(matrix)).toEqual({ training: 'disallowed', search: 'disallowed', user: 'disallowed' });
  });

  it('makes no claims about an unknown robots.txt', () => {
    const matrix = create(null, { robots: null, visits: visits('GPTBot', 3, { status: 403 }) });
    expect(cellOf(matrix, 'training', 'robots_rules')).toMatchObject({ outcome: null, statements: [] });
    expect(listContradictions(matrix)).toEqual([]);
    expect(outcomesOf(matrix)).toEqual({ training: 'disallowed', search: null, user: null });
  });

  it('compares a bounded number of statements, however many lines and user agents a group has', () => {
    const agents = Array.from({ length: 300 }, (_, index) => agent(`bot-${index}`, 'training'));
    const names = agents.map(({ agentToken }) => `User-agent: ${agentToken}\n`).join('');
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, index) => `Content-Signal: ai-train=${index % 2 === 0 ? 'yes' : 'no'}\n`).join(
        '',
      );
    const text = names + lines(1_000);
    const count = (file: string): number =>
      readRobotsStatements({ text: file, isUnreachable: false }, agents).statements.length;
    expect(count(text)).toBe(count(names + lines(20)));
    const matrix = create(text, { agents });
    expect(listContradictions(matrix)).toEqual(['training: content_signal < content_signal']);
    expect(matrix.contradictions[0]!.agents).toHaveLength(300);
    expect(matrix.contradictions[0]!.permissions).toHaveLength(10);
  });

  it('reads a hostile file in bounded time', () => {
    const text = `User-agent: *\n${'Content-Usage: /*a*b*c train-ai=y\n'.repeat(5_000)}${'Disallow: /*0*0*0*x\n'.repeat(5_000)}`;
    expect(create(text).rows).toHaveLength(3);
  });
});
