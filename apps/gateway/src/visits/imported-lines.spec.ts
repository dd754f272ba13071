import { isUuid, getTimeFromId, type Visit } from '#libs/contracts';
import { ImportedLines, parseImportHeader, type ImportDay } from './imported-lines.js';

const PROJECT = '019a0000-0000-7000-8000-000000000000';
const OTHER_PROJECT = '019a0000-0000-7000-8000-000000000001';
const IMPORT = '6b1f1ab8-3f0e-4a0e-9d1c-1f2a3b4c5d6e';
const OTHER_IMPORT = '6b1f1ab8-3f0e-4a0e-9d1c-1f2a3b4c5d6f';
const NOW = Date.parse('2026-11-24T10:00:00Z');
const HOUR_MS = 3_600_000;
const DAY = Math.floor(NOW / 86_400_000);

const visit = (path: string, created: string | undefined): Visit =>
  ({
    request_path: path,
    request_method: 'GET',
    request_headers: {},
    ...(created !== undefined && { created }),
  }) as Visit;

function createLines(visits: Visit[], { header = IMPORT, now = NOW, project = PROJECT } = {}): ImportedLines {
  const lines = new ImportedLines(project, now, parseImportHeader(header)!);
  for (const [index, each] of visits.entries()) lines.add(index, each);
  return lines;
}
const days = (...entries: [day: number, firstAt: number, importId?: string][]): Map<number, ImportDay> =>
  new Map(entries.map(([day, firstAt, importId = IMPORT]) => [day, { firstAt, importId }]));

it.each([
  '',
  'x',
  `${IMPORT},1`,
  `${IMPORT} 1`,
  `${IMPORT}  1:1`,
  `${IMPORT} 1:-1`,
  `${IMPORT} 99999:1`,
  `1:1 ${IMPORT}`,
])('rejects the header %j', (header) => expect(() => parseImportHeader(header)).toThrow('Agent-Traffic-Import'));

it('parses the import ID and the repeat counts', () => {
  expect(parseImportHeader(undefined)).toBeNull();
  expect(parseImportHeader(`${IMPORT.toUpperCase()} 3:1 17:250`)).toEqual({
    id: IMPORT,
    repeats: new Map([
      [3, 1],
      [17, 250],
    ]),
  });
});

it('derives the same ID for a line regardless of the request or import that contains it', () => {
  const firstImports = days([DAY, NOW - HOUR_MS], [DAY - 400, NOW - HOUR_MS]);
  const old = visit('/old', new Date(NOW - 400 * 24 * HOUR_MS).toISOString());
  const recent = visit('/recent', '2026-11-24T09:30:00Z');
  const [oldId, recentId] = createLines([old, recent]).ids(firstImports);
  expect(
    createLines([visit('/', undefined), recent, old], { header: OTHER_IMPORT, now: NOW + HOUR_MS }).ids(firstImports),
  ).toEqual([expect.any(String), recentId, oldId]);
  const others = [
    ...createLines([visit('/other', recent.created as string), visit('/recent', '2026-11-24T09:30:01Z')]).ids(
      firstImports,
    ),
    ...createLines([recent], { project: OTHER_PROJECT }).ids(firstImports),
    ...createLines([recent], { header: `${IMPORT} 0:1` }).ids(firstImports),
    ...createLines([recent], { header: `${IMPORT} 0:2` }).ids(firstImports),
  ];
  const all = [oldId!, recentId!, ...others];
  expect(all.every(isUuid)).toBe(true);
  expect(new Set(all).size).toBe(7);
});

it("derives the same ID for a line whose size's type and cache result are unknown", () => {
  const line = { ...visit('/', '2026-11-24T09:00:00Z'), response_size_in_bytes: 1 };
  const [key, other] = [line, { ...line, response_size_type: 'sent' as const, response_cache: 'hit' as const }].map(
    (each) => createLines([each]).key,
  );
  expect(key).toEqual(other);
});

it('sorts ID timestamps in the order of the lines, and replaces missing and far-future times', () => {
  const times = [
    '2026-11-23T00:00:00Z',
    '2026-11-23T00:00:01+00:00',
    '2026-11-23T23:59:59.999Z',
    '2026-11-24T09:59:00Z',
  ];
  const ids = createLines(
    [...times, '2026-11-24T10:10:00Z', '2026-11-24T15:00:00Z', undefined].map((time) => visit('/', time)),
  ).ids(days([DAY - 1, NOW - HOUR_MS], [DAY, NOW - HOUR_MS]));
  const first = NOW - HOUR_MS - 86_400;
  expect(ids.map(getTimeFromId)).toEqual([
    first,
    first + 1,
    first + 86_399,
    NOW - 60_000,
    NOW + 10 * 60_000,
    // Too far in the future, so the time of receipt is used.
    NOW,
    NOW,
  ]);
});

it('lists the days covered by the lines and the IDs that another import may have recorded', () => {
  const lines = createLines([
    visit('/a', '2026-11-23T10:00:00Z'),
    visit('/b', '2026-11-24T01:00:00+02:00'),
    visit('/c', '2026-11-24T09:00:00Z'),
  ]);
  expect(lines.days).toEqual([DAY - 1, DAY]);
  const firstImports = days([DAY - 1, NOW, OTHER_IMPORT], [DAY, NOW]);
  const ids = lines.ids(firstImports);
  expect(lines.possibleDuplicates(ids, firstImports)).toEqual(ids.slice(0, 2));
});

it('derives the idempotency key from all lines in order, but not from the import ID', () => {
  const [one, other] = [visit('/a', '2026-11-23T10:00:00Z'), visit('/b', '2026-11-23T10:00:00Z')];
  const keys = [
    createLines([one, other]),
    createLines([other, one]),
    createLines([one]),
    createLines([one, other], { header: `${IMPORT} 1:1` }),
  ];
  expect(new Set(keys.map(({ key }) => key.toString('hex'))).size).toBe(4);
  expect(createLines([one, other], { header: OTHER_IMPORT }).key).toEqual(keys[0]!.key);
});

it('returns at least the size of the JSON, also without the fields that do not identify a line', () => {
  const lines = new ImportedLines(PROJECT, NOW, parseImportHeader(IMPORT)!);
  const plain = visit('/ü', '2026-11-24T09:30:00Z');
  for (const each of [plain, { ...plain, response_size_type: 'body', response_cache: 'miss' } as Visit]) {
    const bytes = Buffer.byteLength(JSON.stringify(each));
    const returned = lines.add(0, each);
    expect(returned).toBeGreaterThanOrEqual(bytes);
    expect(returned).toBeLessThan(bytes + 100);
  }
});
