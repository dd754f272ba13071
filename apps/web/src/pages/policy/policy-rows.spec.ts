import type { PolicyRule } from '#libs/contracts';
import type { ComplianceAgent } from '../../api/compliance.js';
import { createChoice, type Choices } from '../../rules/controls.js';
import { createRows, type AgentType, type ExceptionLine } from './policy-rows.js';
import { describeAction } from '../../rules/rule-text.js';

const agent = (agent_token: string, agent_type_name: AgentType, counts: Partial<ComplianceAgent> = {}) =>
  ({
    agent_id: agent_token,
    agent_token,
    agent_type_name,
    operator_name: null,
    is_user_triggered: false,
    allowed: 10,
    disallowed: 0,
    no_rules: 0,
    unreachable: 0,
    unknown: 0,
    spoofed: 0,
    allowed_forbidden: 0,
    disallowed_forbidden: 0,
    ...counts,
  }) as ComplianceAgent;
const AGENTS = [
  agent('Bytespider', 'AI Data Scraper', { allowed_forbidden: 4 }),
  agent('GPTBot', 'AI Data Scraper', { allowed_forbidden: 3 }),
  agent('Scrapy', 'Scraper'),
];
const TRAINING: PolicyRule = {
  id: 'training',
  name: 'Training crawlers',
  mode: 'dry_run',
  visitors: { agent_types: ['AI Data Scraper', 'AI Data Provider'] },
  action: { kind: 'slow_down', requests_per_minute: 1 },
  exceptions: [{ id: 'e', visitors: { agent_tokens: ['Bytespider'] }, action: { kind: 'refuse' } }],
};
const UNWANTED: PolicyRule = {
  id: 'unwanted',
  name: 'Unwanted crawlers',
  mode: 'live',
  visitors: { agent_tokens: ['Bytespider', 'Scrapy', 'Absent'] },
  action: { kind: 'refuse' },
};

const create = (rules: PolicyRule[], choices: Choices = {}) => {
  const { rows, others } = createRows(
    ['AI Data Scraper', 'Scraper', 'AI Data Provider'],
    AGENTS,
    { rules, selection: { agent_types: [], format: 'blocks' } },
    choices,
  );
  const toText = ({ who, action, note }: ExceptionLine) =>
    `${who}: ${action === null ? 'not disallowed' : describeAction({ action })}${note === null ? '' : ` (${note})`}`;
  return {
    lines: Object.fromEntries(rows.map(({ type, exceptions }) => [type, exceptions.map(toText)])),
    ignoring: rows.flatMap(({ ignoring }) =>
      ignoring.map((one) => `${one.agent.agent_token} ${one.reason} ${one.visits}`),
    ),
    others: others.map(toText),
  };
};

it('shows one outcome per agent, below the type of each agent', () => {
  expect(create([TRAINING, UNWANTED])).toMatchObject({
    lines: { 'AI Data Scraper': ['Bytespider: block'], Scraper: ['Scrapy: block'], 'AI Data Provider': [] },
    others: ['Absent: block'],
  });
});

it('adds the dry run to the live outcome', () => {
  const slow: PolicyRule = { ...UNWANTED, action: { kind: 'slow_down', requests_per_minute: 5 } };
  expect(create([TRAINING, slow]).lines['AI Data Scraper']).toEqual([
    'Bytespider: slow down to 5 a minute (dry run: block)',
  ]);
  expect(create([TRAINING]).lines['AI Data Scraper']).toEqual(['Bytespider: allow (dry run: block)']);
});

it('shows exceptions as live once their type goes live', () => {
  const choice = { ...createChoice({ kind: 'slow_down', requests_per_minute: 1 }), mode: 'live' as const };
  expect(create([TRAINING], { 'AI Data Scraper': choice }).lines).toMatchObject({
    'AI Data Scraper': ['Bytespider: block'],
    'AI Data Provider': [],
  });
});

it('limits rules for pages to the agents of each type', () => {
  const archive: PolicyRule = { ...UNWANTED, requests: { paths: ['/archive/*'] } };
  expect(create([archive])).toMatchObject({
    lines: { 'AI Data Scraper': ['Bytespider on /archive/*: block'], Scraper: ['Scrapy on /archive/*: block'] },
    others: ['Absent on /archive/*: block'],
  });
});

it('distinguishes blocks by the policy from those by the site', () => {
  expect(create([UNWANTED]).ignoring).toEqual(['Bytespider blocked 4', 'GPTBot refused 3']);
});
