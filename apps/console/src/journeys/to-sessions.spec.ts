import { SESSION_GAP_MS, toKindBits } from '#libs/contracts';
import type { JourneyVisit } from '#libs/visit-store';
import { findDeadEnds, findPagesBeforeCheckout, isRefused, toSessions, type Session } from './to-sessions.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const AGENT = '019a0000-0000-7000-8000-000000000001';

let count = 0;
const visit = (minutes: number, columns: Partial<JourneyVisit> = {}): JourneyVisit => ({
  id: `019a0000-0000-7000-8000-${String((count += 1)).padStart(12, '0')}`,
  occurred_at: DAY_MS + minutes * MINUTE_MS,
  agent_id: AGENT,
  agent_type: 'AI Assistant',
  operator: 'OpenAI',
  result: 'verified',
  path: '/',
  status: 200,
  kinds: toKindBits(['page']),
  client_address: '192.0.2.1',
  user_agent_group: null,
  signature_key: null,
  ...columns,
});
const minutesOf = ({ visits }: Session): number[] => visits.map(({ occurred_at: at }) => (at - DAY_MS) / MINUTE_MS);
const divide = (visits: readonly JourneyVisit[], searchedFrom = -Infinity): number[][] =>
  toSessions(visits, searchedFrom).map(minutesOf);

it('starts a new session after a pause of more than 30 minutes', () => {
  expect(divide([visit(0), visit(30), visit(60.001)])).toEqual([[60.001], [0, 30]]);
  expect(divide([visit(60), visit(0), visit(30)])).toEqual([[0, 30, 60]]);
  expect(divide([])).toEqual([]);
});

it.each<[what: string, one: Partial<JourneyVisit>, other: Partial<JourneyVisit>, isSame: boolean]>([
  ['addresses in the same /24', {}, { client_address: '192.0.2.255' }, true],
  ['addresses in another /24', {}, { client_address: '192.0.3.1' }, false],
  ['addresses in the same /48', { client_address: '2001:db8::1' }, { client_address: '2001:db8:0:1::1' }, true],
  ['addresses in another /48', { client_address: '2001:db8::1' }, { client_address: '2001:db8:1::1' }, false],
  ['agents', {}, { agent_id: '019a0000-0000-7000-8000-000000000002' }, false],
  ['programs', { agent_id: null, user_agent_group: 1 }, { agent_id: null, user_agent_group: 2 }, false],
  ['an address and none', {}, { client_address: null }, false],
  ['no addresses', { client_address: null }, { client_address: null }, true],
  ['a key in two networks', { signature_key: 'k' }, { signature_key: 'k', client_address: '203.0.113.1' }, true],
  ['keys in one network', { signature_key: 'k' }, { signature_key: 'l' }, false],
  ['a signed and an unsigned request', { signature_key: 'k' }, {}, false],
])('distinguishes visitors with %s', (_what, one, other, isSame) => {
  expect(toSessions([visit(0, one), visit(1, other)], -Infinity)).toHaveLength(isSame ? 1 : 2);
});

it('describes how the visitor was distinguished', () => {
  const distinguish = (columns: Partial<JourneyVisit>) => {
    const [{ distinguishedBy, network }] = toSessions([visit(0, columns)], -Infinity) as [Session];
    return [distinguishedBy, network];
  };
  expect(distinguish({})).toEqual(['network', '192.0.2.0/24']);
  expect(distinguish({ client_address: '2001:db8:1:2::3' })).toEqual(['network', '2001:db8:1::/48']);
  expect(distinguish({ signature_key: 'k' })).toEqual(['signature_key', null]);
  expect(distinguish({ client_address: null })).toEqual(['none', null]);
});

it('orders visits at the same time by ID', () => {
  const [first, second] = [visit(0, { path: '/first' }), visit(0, { path: '/second' })];
  const [session] = toSessions([second, first], -Infinity) as [Session];
  expect(session.visits.map(({ path }) => path)).toEqual(['/first', '/second']);
});

it('marks sessions whose start may not have been read', () => {
  const startedEarlier = (searchedFrom: number): boolean => toSessions([visit(0)], searchedFrom)[0]!.startedEarlier;
  expect(startedEarlier(DAY_MS - SESSION_GAP_MS)).toBe(true);
  expect(startedEarlier(DAY_MS - SESSION_GAP_MS - 1)).toBe(false);
});

it('limits sessions to their last 1,000 visits within 24 hours', () => {
  const many = Array.from({ length: 1_500 }, (_, index) => visit(index / 100));
  const long = Array.from({ length: 60 }, (_, index) => visit(index * 30));
  for (const [visits, expected] of [
    [many, many.slice(500)],
    [long, long.slice(11)],
  ] as const) {
    const sessions = toSessions(visits, -Infinity);
    expect(sessions).toMatchObject([{ startedEarlier: true }]);
    expect(sessions[0]!.visits).toEqual(expected);
  }
});

it.each<[visitor: Session['visitor'], Partial<JourneyVisit>]>([
  ['assistant', {}],
  ['assistant', { agent_type: 'Fetcher' }],
  ['coding_agent', { agent_type: 'AI Coding Agent' }],
  ['mcp_client', { kinds: toKindBits(['mcp', 'acp']) }],
  ['mcp_client', { agent_id: null, agent_type: null, kinds: toKindBits(['mcp']) }],
  ['unknown', { agent_id: null, agent_type: null }],
])('classifies the visitor as %s', (visitor, columns) => {
  expect(toSessions([visit(0, columns)], -Infinity)).toMatchObject([{ visitor }]);
});

it('finds each error status by page, and pages requested three times', () => {
  const mcp = { path: '/mcp', kinds: toKindBits(['mcp']) };
  const visits = [
    visit(0, { path: '/a?x=1', status: 404 }),
    visit(1, { path: '/a?x=2', status: 404 }),
    visit(2, { path: '/a', status: 500 }),
    ...[3, 4, 5].map((minute) => visit(minute, mcp)),
    ...[6, 7, 8].map((minute) => visit(minute, { path: '/b?q', status: 200 })),
    ...[9, 10].map((minute) => visit(minute, { path: '/c', status: null })),
  ];
  const [session] = toSessions(visits, -Infinity) as [Session];
  expect(findDeadEnds(session)).toEqual([
    { page: '/a', kind: 'status', status: 404 },
    { page: '/a', kind: 'status', status: 500 },
    { page: '/b', kind: 'loop', status: null },
  ]);
});

it('finds the pages requested before the first checkout message', () => {
  const acp = { path: '/checkout_sessions', kinds: toKindBits(['acp']) };
  const pages = (visits: readonly JourneyVisit[]): string[] =>
    findPagesBeforeCheckout(toSessions(visits, -Infinity)[0]!);
  expect(pages([visit(0, { path: '/a?1' }), visit(1, { path: '/a?2' }), visit(2, acp), visit(3)])).toEqual(['/a']);
  expect(pages([visit(0), visit(1)])).toEqual([]);
});

it.each<[what: string, columns: Partial<JourneyVisit>, isDeadEnd: boolean]>([
  ['a missing page', { path: '/chairs', status: 404 }, true],
  ['a block', { status: 403 }, true],
  ['a price', { path: '/archive/1', status: 402 }, false],
  ['a rate limit', { status: 429 }, false],
  ['a missing page that scanners request', { path: '/.git/config?x', status: 404 }, false],
  ['a server error for a page that scanners request', { path: '/backup.zip', status: 503 }, false],
])('counts %s as a dead end only if the site would have wanted to serve it', (_what, columns, isDeadEnd) => {
  const [session] = toSessions([visit(0, columns)], -Infinity) as [Session];
  expect(findDeadEnds(session)).toHaveLength(isDeadEnd ? 1 : 0);
  expect(session.visits.some(isRefused)).toBe(!isDeadEnd);
});
