import type { PolicyRule } from '#libs/contracts';
import type { RulesSelection } from '../api/rules-queries.js';
import { applyChoices, createChoice, readControl, type SitePolicy } from './controls.js';

const SELECTION: RulesSelection = { agent_types: [], format: 'blocks' };
const rule = (name: string, parts: Partial<PolicyRule>): PolicyRule => ({
  id: name,
  name,
  mode: 'live',
  action: { kind: 'refuse' },
  ...parts,
});
const site = (rules: PolicyRule[], types: RulesSelection['agent_types'] = []): SitePolicy => ({
  rules,
  selection: { ...SELECTION, agent_types: types },
});

describe('readControl', () => {
  it('allows types without rules', () => {
    expect(readControl(site([]), 'Scraper')).toMatchObject({ kind: 'allow', rule: null, isBlockedByRobots: false });
  });

  it('reports that a connected proxy also blocks types that only robots.txt disallows', () => {
    expect(readControl(site([], ['Scraper']), 'Scraper')).toMatchObject({ kind: 'ask', isBlockedByRobots: true });
  });

  it('finds rules by purpose, and the live rule behind a rule in dry run', () => {
    const rules = [
      rule('Path', { visitors: { agent_types: ['AI Data Scraper'] }, requests: { paths: ['/a'] } }),
      rule('Dry', { visitors: { purposes: ['training'] }, mode: 'dry_run' }),
      rule('All', { action: { kind: 'slow_down', requests_per_minute: 5 } }),
    ];
    expect(readControl(site(rules), 'AI Data Scraper')).toMatchObject({
      kind: 'refuse',
      mode: 'dry_run',
      liveAction: { kind: 'slow_down' },
    });
    expect(readControl(site(rules), 'Archiver')).toMatchObject({ kind: 'slow_down', mode: 'live' });
  });
});

describe('applyChoices', () => {
  const block = createChoice({ kind: 'refuse' });

  it('adds a live rule and a robots.txt group for blocked types', () => {
    const { rules, selection } = applyChoices(site([]), { Scraper: block }, 'live');
    expect(rules).toEqual([
      {
        id: block.ruleId,
        name: 'Scraper',
        mode: 'live',
        visitors: { agent_types: ['Scraper'] },
        action: { kind: 'refuse' },
      },
    ]);
    expect(selection.agent_types).toEqual(['Scraper']);
  });

  it('leaves robots.txt and live rules unchanged in dry run', () => {
    const live = rule('Live', {
      visitors: { agent_types: ['Scraper'] },
      action: { kind: 'slow_down', requests_per_minute: 5 },
    });
    const { rules, selection } = applyChoices(site([live]), { Scraper: block }, 'dry_run');
    expect(rules).toMatchObject([
      { id: block.ruleId, mode: 'dry_run', action: { kind: 'refuse' } },
      { id: 'Live', mode: 'live' },
    ]);
    expect(selection.agent_types).toEqual([]);
  });

  it('replaces the rule in dry run when it goes live', () => {
    const before = [
      rule('Dry', { visitors: { agent_types: ['Scraper'] }, mode: 'dry_run' }),
      rule('Live', { visitors: { agent_types: ['Scraper'] }, action: { kind: 'slow_down', requests_per_minute: 5 } }),
    ];
    const { rules } = applyChoices(site(before), { Scraper: block }, 'live');
    expect(rules).toMatchObject([{ id: 'Dry', mode: 'live', action: { kind: 'refuse' } }]);
  });

  it('only publishes the choices that go live as live rules', () => {
    const before = [rule('Dry', { visitors: { agent_types: ['Archiver'] }, mode: 'dry_run' })];
    const choices = { Scraper: block, Archiver: { ...createChoice({ kind: 'refuse' }), mode: 'live' as const } };
    const { rules, selection } = applyChoices(site(before), choices, 'dry_run');
    expect(rules).toMatchObject([
      { id: 'Dry', mode: 'live' },
      { id: block.ruleId, mode: 'dry_run' },
    ]);
    expect(selection.agent_types).toEqual(['Archiver']);
  });

  it('only asks types that robots.txt disallows, even at a connected proxy', () => {
    const { rules, selection } = applyChoices(site([]), { Archiver: createChoice({ kind: 'ask' }) }, 'dry_run');
    expect(rules).toMatchObject([{ mode: 'live', action: { kind: 'allow' }, visitors: { agent_types: ['Archiver'] } }]);
    expect(selection.agent_types).toEqual(['Archiver']);
  });

  it('separates one type from a purpose, with its exceptions', () => {
    const exceptions = [{ id: 'e', visitors: { agent_tokens: ['GPTBot'] }, action: { kind: 'allow' as const } }];
    const before = [
      rule('Path', { requests: { paths: ['/private/'] } }),
      rule('Training', { visitors: { purposes: ['training', 'user'] }, exceptions }),
      rule('Last', { visitors: { operators: ['Google'] } }),
    ];
    const charge = createChoice({ kind: 'charge', price: 'USD 1', url: 'https://shop.example/' });
    const { rules } = applyChoices(site(before), { 'AI Data Scraper': charge }, 'live');
    expect(rules.map(({ name }) => name)).toEqual(['Path', 'AI Data Scraper', 'Training', 'Last']);
    expect(rules[1]).toMatchObject({
      action: { kind: 'charge' },
      exceptions: [{ visitors: { agent_tokens: ['GPTBot'] } }],
    });
    expect(rules[1]!.exceptions![0]!.id).not.toBe('e');
    expect(rules[2]).toMatchObject({ visitors: { agent_types: ['AI Data Provider'], purposes: ['user'] }, exceptions });
  });

  it('allows a type before a rule for all agents', () => {
    const { rules } = applyChoices(site([rule('All', {})]), { Fetcher: createChoice({ kind: 'allow' }) }, 'dry_run');
    expect(rules).toMatchObject([{ name: 'Fetcher', mode: 'live', action: { kind: 'allow' } }, { name: 'All' }]);
  });

  it('removes the rule and the robots.txt group of allowed types', () => {
    const before = site([rule('Scraper', { visitors: { agent_types: ['Scraper'] } })], ['Scraper', 'Archiver']);
    const { rules, selection } = applyChoices(before, { Scraper: createChoice({ kind: 'allow' }) }, 'live');
    expect(rules).toEqual([]);
    expect(selection.agent_types).toEqual(['Archiver']);
  });

  it('replaces server formats with robots.txt once agents are asked', () => {
    const before: SitePolicy = { rules: [], selection: { agent_types: ['Scraper'], format: 'nginx-map' } };
    const { selection } = applyChoices(before, { Archiver: createChoice({ kind: 'ask' }) }, 'live');
    expect(selection).toEqual({ agent_types: ['Scraper', 'Archiver'], format: 'blocks' });
  });
});
