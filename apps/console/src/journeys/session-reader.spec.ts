import { toKindBits } from '#libs/contracts';
import type { JourneyRead, JourneyVisit, JourneyVisitsRepository, Snapshot } from '#libs/visit-store';
import { SessionReader } from './session-reader.js';

const HOUR_MS = 3_600_000;
const TO = 100 * HOUR_MS;
const NO_FILTERS = {
  agent: null,
  type: null,
  visitor: null,
  entry: null,
  exit: null,
  dead_end: null,
  dead_end_page: null,
  dead_end_cause: null,
  checkout: null,
  min_visits: 1,
};

let count = 0;
/** @param hours Hours since the epoch. */
const visit = (network: number, hours: number): JourneyVisit => ({
  id: `019a0000-0000-7000-8000-${String((count += 1)).padStart(12, '0')}`,
  occurred_at: hours * HOUR_MS,
  agent_id: '019a0000-0000-7000-8000-000000000001',
  agent_type: 'AI Assistant',
  operator: null,
  result: 'verified',
  path: '/',
  status: 200,
  kinds: toKindBits(['page']),
  client_address: `192.0.${network}.1`,
  user_agent_group: null,
  signature_key: null,
});

type Page = Awaited<ReturnType<JourneyVisitsRepository['read']>>;

/** Reads visits from a list. Reads after the start of a page search few visits, as if most visitors had no sessions. */
function createReader(visits: readonly JourneyVisit[], maxLaterVisits: number): SessionReader {
  const read = (_snapshot: Snapshot, _projectId: string, { start, end, limit }: JourneyRead): Page => {
    const isBackward = start.side === '<';
    const compare = (one: Pick<JourneyVisit, 'id' | 'occurred_at'>, other: typeof one): number =>
      one.occurred_at - other.occurred_at || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
    const from = { id: start.id, occurred_at: start.occurredAt };
    const found = visits
      .filter((one) => {
        const order = compare(one, from) || (start.side === '>=' ? 1 : 0);
        return isBackward ? order < 0 && one.occurred_at >= end : order > 0 && one.occurred_at <= end;
      })
      .toSorted((one, other) => (isBackward ? compare(other, one) : compare(one, other)));
    const page = found.slice(0, isBackward ? limit : maxLaterVisits);
    const last = page.at(-1);
    const searchedTo = page.length < found.length ? { occurredAt: last!.occurred_at, id: last!.id } : null;
    return { visits: page, searchedTo };
  };
  return new SessionReader({
    read: async (...parameters: Parameters<typeof read>) => read(...parameters),
  } as unknown as JourneyVisitsRepository);
}

/** Returns the networks of the sessions on the first page, or on all pages. `…` marks sessions with an unknown start. */
async function readPages(reader: SessionReader, size: number, maxPages = Infinity): Promise<string[][]> {
  const pages: string[][] = [];
  let before: Awaited<ReturnType<typeof reader.readEnded>>['next'] = null;
  do {
    const query = { filters: NO_FILTERS, range: { from: 0, to: TO }, before, signers: [] };
    const { sessions, next } = await reader.readEnded({} as Snapshot, 'project', query, {
      limit: 9,
      visitsPerRead: [size],
    });
    pages.push(sessions.map(({ network, startedEarlier }) => (startedEarlier ? `…${network}` : network!)));
    before = next;
  } while (before !== null && pages.length < maxPages);
  return pages;
}

describe('sessions that continue after the start of a page', () => {
  const start = TO / HOUR_MS;
  const others = [3, 4, 5].map((network) => visit(network, start + 0.1));
  const visits = [visit(1, start - 0.1), visit(2, start - 0.2), ...others, visit(1, start + 0.2)];

  it('are left out if several reads are needed to find them', async () => {
    expect(await readPages(createReader(visits, 2), 99)).toEqual([['192.0.2.0/24']]);
  });

  it('are left out, with all others that might continue, if they are too many to read', async () => {
    const early = visit(9, start - 1);
    expect(await readPages(createReader([...visits, early], 1), 99)).toEqual([['192.0.9.0/24']]);
  });
});

describe('sessions whose start is not read', () => {
  const walk = (network: number, hours: readonly number[]): JourneyVisit[] => hours.map((hour) => visit(network, hour));
  const single = [visit(3, 99), visit(4, 98), visit(5, 97)];

  it('are left to the next page if it reads on far enough', async () => {
    const reader = createReader([...single, ...walk(1, [96, 95.5, 95, 94.5])], 9);
    expect(await readPages(reader, 4)).toEqual([['192.0.3.0/24', '192.0.4.0/24', '192.0.5.0/24'], ['192.0.1.0/24']]);
  });

  it('are marked if their start is not found in half of the visits', async () => {
    const reader = createReader([...walk(1, [99.5, 99.25, 98.8, 98.5, 98.25]), ...single], 9);
    expect(await readPages(reader, 4, 1)).toEqual([['…192.0.1.0/24', '…192.0.3.0/24']]);
    expect((await readPages(reader, 4)).flat()).toEqual([
      '…192.0.1.0/24',
      '…192.0.3.0/24',
      '192.0.4.0/24',
      '192.0.5.0/24',
    ]);
  });
});

it.each([
  ['refused', ['192.0.1.0/24']],
  ['yes', ['192.0.2.0/24']],
  ['no', ['192.0.1.0/24', '192.0.3.0/24']],
] as const)('filters sessions by dead end: %s', async (deadEnd, networks) => {
  const visits = [
    { ...visit(1, 90), status: 429 },
    { ...visit(2, 90), status: 429 },
    { ...visit(2, 90.1), status: 404 },
    visit(3, 90),
  ];
  const query = {
    filters: { ...NO_FILTERS, dead_end: deadEnd },
    range: { from: 0, to: TO },
    before: null,
    signers: [],
  };
  const { sessions } = await createReader(visits, 9).readEnded({} as Snapshot, 'project', query, {
    limit: 9,
    visitsPerRead: [9],
  });
  expect(sessions.map(({ network }) => network).toSorted()).toEqual(networks);
});
