import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { Headers } from 'undici';
import { chunkLines, ImportSummary, LogImporter, type LogEvent } from '#libs/access-log';
import { HttpError } from '../apps/cli/src/cli-error.js';
import type { SendOptions } from '../apps/cli/src/client.js';
import { followFile, readLog } from '../apps/cli/src/logs/log-reader.js';
import { createPost } from '../apps/cli/src/logs/visit-post.js';
import { App } from './kit/app.js';
import { temporaryFolder, until } from './kit/instance.js';
import { readVisits } from './kit/visit-store.js';
import { generateLog } from './log-generator.js';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-11-20T10:00:00Z');

let app: App;
let folder: string;
beforeAll(async () => {
  app = await App.start();
  folder = await temporaryFolder();
});
afterAll(async () => {
  await app.dispose();
  await rm(folder, { recursive: true });
});
afterEach(() => jest.restoreAllMocks());

interface Project {
  id: string;
  token: string;
}
async function createProject(): Promise<Project> {
  const { id } = (await app.api('POST', '/projects', { name: 'Imported' })).body;
  const { token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
  return { id, token };
}

const createLine = (path: string, seconds: number, userAgent = 'GPTBot/1.2'): string => {
  const [, day, month, year, clock] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(
    new Date(START + seconds * 1_000).toUTCString(),
  )!;
  return `198.51.100.7 - - [${day}/${month}/${year}:${clock} +0000] "GET ${path} HTTP/1.1" 200 512 "-" "${userAgent}"`;
};
const createLines = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    createLine(`/${name}/${index}`, index, index % 2 ? 'GPTBot/1.2' : 'Mozilla/5.0'),
  );
const joinLines = (lines: readonly string[]): string => lines.map((logLine) => `${logLine}\n`).join('');

interface RunOptions {
  signal?: AbortSignal;
  /** Called with each request's number, before it is sent and after its response arrives. */
  onRequest?: (request: number, state: 'sent' | 'received') => void | Promise<void>;
}

async function importLogs(
  { token }: Project,
  logs: Record<string, string | Buffer | AsyncGenerator<LogEvent>>,
  { signal = new AbortController().signal, onRequest }: RunOptions = {},
): Promise<ImportSummary> {
  let requests = 0;
  const send = async (url: string, { headers, body }: SendOptions) => {
    const request = (requests += 1);
    await onRequest?.(request, 'sent');
    const response = await app.nest.inject({
      method: 'POST',
      url,
      headers: { ...headers, authorization: `Bearer ${token}` },
      payload: Buffer.from(body!),
    });
    await onRequest?.(request, 'received');
    const { statusCode: status, payload } = response;
    if (status !== 204) throw new HttpError(status, payload === '' ? {} : JSON.parse(payload), payload);
    return { status, headers: new Headers(response.headers as Record<string, string>), text: payload };
  };
  const post = createPost({
    client: { send },
    token,
    retryPeriodMs: 60_000,
    concurrency: 4,
    signal,
    onWait: () => undefined,
  });
  const summary = new ImportSummary();
  const importer = new LogImporter({
    format: null,
    concurrency: 4,
    post,
    logs: Object.keys(logs).length,
    summary,
    signal,
  });
  for (const [name, log] of Object.entries(logs)) {
    const events =
      typeof log === 'string' || Buffer.isBuffer(log)
        ? readLog(Readable.from([Buffer.from(log)]) as AsyncIterable<Buffer>, { signal })
        : log;
    await importer.import(name, chunkLines(events));
  }
  return summary;
}

/** Returns the sorted paths of a project's visits. Fails if the visit count doesn't become the number of visits. */
async function readPaths({ id }: Project): Promise<string[]> {
  const { dataSource } = app.database;
  return until(
    async () => {
      const paths = (await readVisits(dataSource, id)).map(({ path }) => path);
      const [{ counted }] = await dataSource.query(
        'SELECT coalesce(sum(visits), 0)::integer AS counted FROM visit_counts WHERE project_id = $1',
        [id],
      );
      return counted === paths.length && paths.toSorted();
    },
    { condition: 'all counted visits are stored' },
  );
}

const extractPaths = (...logs: (readonly string[])[]): string[] =>
  logs
    .flat()
    .map((logLine) => / \/\S+ /.exec(logLine)![0].trim())
    .toSorted();

const pickCounts = ({ sent, repeated, rejected: refused, unreadable }: ImportSummary) => ({
  sent,
  repeated,
  refused,
  unreadable,
});
const noFailures = { refused: 0, unreadable: 0 };

describe('an imported log', () => {
  const lines = createLines('a', 2_500);
  const others = createLines('b', 700);
  const cases: [string, string[]][] = [
    ['unchanged', lines],
    ['followed by another log', [...lines, ...others]],
    ['preceded by another log', [...others, ...lines]],
    ['between two parts of another log', [...others.slice(0, 301), ...lines, ...others.slice(301)]],
    [
      'merged with another log by time',
      lines.flatMap((logLine, index) => [logLine, ...others.slice(index, index + 1)]),
    ],
    ['without its start', lines.slice(777)],
    ['without its end', lines.slice(0, 1_999)],
    ['truncated at both ends', lines.slice(3, -3)],
    ['filtered by grep', lines.filter((logLine) => logLine.includes('GPTBot'))],
    ['filtered by grep -n', lines.flatMap((logLine, index) => (index % 3 ? [] : [`${index + 1}:${logLine}`]))],
    ['with a container log prefix', lines.map((logLine) => `2026-11-20T10:05:04.210102861Z stdout F ${logLine}`)],
    ['reversed', lines.toReversed()],
    ['sorted', lines.toSorted()],
    ['with CRLF line endings', lines.map((logLine) => `${logLine}\r`)],
  ];

  it.each(cases)('records an imported log only once if a variant is imported later: %s', async (_, variant) => {
    const project = await createProject();
    expect(pickCounts(await importLogs(project, { 'a.log': joinLines(lines) }))).toEqual({
      ...noFailures,
      sent: 2_500,
      repeated: 0,
    });
    const isFromOtherLog = (logLine: string): boolean => logLine.includes('/b/');
    const newLines = variant.filter(isFromOtherLog);
    const summary = await importLogs(project, { 'changed.log': joinLines(variant) });
    expect(pickCounts(summary)).toEqual({
      ...noFailures,
      sent: newLines.length,
      repeated: variant.length - newLines.length,
    });
    expect(await readPaths(project)).toEqual(extractPaths(lines, newLines));
  });

  it.each(cases)('records an imported log only once if a variant is imported first: %s', async (_, variant) => {
    const project = await createProject();
    await importLogs(project, { 'changed.log': joinLines(variant) });
    await importLogs(project, { 'a.log': joinLines(lines) });
    expect(await readPaths(project)).toEqual(
      extractPaths(
        lines,
        variant.filter((logLine) => logLine.includes('/b/')),
      ),
    );
  });

  it('records a log only once if imported in compressed parts and then as a whole', async () => {
    const project = await createProject();
    const parts = {
      'a.2.gz': gzipSync(joinLines(lines.slice(0, 1_100))),
      'a.1.gz': gzipSync(joinLines(lines.slice(1_100))),
    };
    expect((await importLogs(project, parts)).sent).toBe(2_500);
    expect((await importLogs(project, { 'a.log': joinLines(lines) })).repeated).toBe(2_500);
    expect(await readPaths(project)).toEqual(extractPaths(lines));
  });

  it('records a log only once if a run contains copies of it', async () => {
    const project = await createProject();
    await importLogs(project, {
      'a.log': joinLines(lines),
      'copy.log': joinLines(lines),
      'start.log': joinLines(lines.slice(0, 90)),
    });
    expect(await readPaths(project)).toEqual(extractPaths(lines));
  });

  it('records a log in each project that it is imported into', async () => {
    for (const project of [await createProject(), await createProject()]) {
      expect((await importLogs(project, { 'a.log': joinLines(lines) })).sent).toBe(2_500);
      expect(await readPaths(project)).toEqual(extractPaths(lines));
    }
  });
});

it('records all lines of two logs that share their first line', async () => {
  for (const runs of [1, 2]) {
    const project = await createProject();
    const first = createLine('/same', 0);
    const [one, other] = [
      [first, ...createLines('a', 1_500)],
      [first, ...createLines('b', 1_500)],
    ];
    if (runs === 1) await importLogs(project, { 'a.log': joinLines(one), 'b.log': joinLines(other) });
    else for (const log of [one, other]) await importLogs(project, { 'access.log': joinLines(log) });
    // If a later run contains an identical line, it can't be distinguished from a repeated import.
    const expected = extractPaths(one, runs === 1 ? other : other.slice(1));
    expect(await readPaths(project)).toEqual(expected);
    for (const log of [other, one]) await importLogs(project, { 'access.log': joinLines(log) });
    expect(await readPaths(project)).toEqual(expected);
  }
});

it('records identical lines as often as they occur, even after repeated imports', async () => {
  const project = await createProject();
  const lines = Array.from({ length: 3_000 }, (_, index) => createLine(`/${index % 3 ? index : 'same'}`, 0));
  const log = joinLines(lines);
  const others = joinLines([createLine('/new', 1)]);
  for (const imported of [log, log, joinLines(lines.slice(0, 500)), joinLines(lines.toReversed()), log + others]) {
    await importLogs(project, { 'access.log': imported });
  }
  expect(await readPaths(project)).toEqual(extractPaths(lines, [createLine('/new', 1)]));
});

it('records a followed log only once if it is imported again after growing', async () => {
  const project = await createProject();
  const lines = createLines('f', 1_300);
  const file = join(folder, 'followed.log');
  await writeFile(file, joinLines(lines.slice(0, 700)));
  const controller = new AbortController();
  const { signal } = controller;
  const following = importLogs(
    project,
    { 'followed.log': followFile(file, { signal, pollIntervalMs: 5 }) },
    { signal },
  );
  for (let at = 700; at < 1_200; at += 50) {
    await appendFile(file, joinLines(lines.slice(at, at + 50)));
    const stored = at + 50;
    await until(async () => (await readPaths(project)).length === stored, { condition: `${stored} visits are stored` });
  }
  controller.abort();
  await following.catch(() => undefined);
  await appendFile(file, joinLines(lines.slice(1_200)));
  const summary = await importLogs(project, { 'followed.log': joinLines(lines) });
  expect(pickCounts(summary)).toEqual({ ...noFailures, sent: 100, repeated: 1_200 });
  expect(await readPaths(project)).toEqual(extractPaths(lines));
});

it('records a log only once if imports are aborted at arbitrary requests', async () => {
  const { text: log, readable } = generateLog({ lines: 9_000, seed: 5, start: new Date(START) });
  const project = await createProject();
  for (const [at, state] of [
    [1, 'sent'],
    [2, 'received'],
    [5, 'received'],
    [4, 'sent'],
  ] as const) {
    const controller = new AbortController();
    const onRequest = async (request: number, requestState: string): Promise<void> => {
      if (request === at && requestState === state) controller.abort(new Error('killed'));
      // An aborted import must never receive the response.
      if (controller.signal.aborted) await new Promise(() => {});
    };
    await Promise.race([
      importLogs(project, { 'access.log': log }, { signal: controller.signal, onRequest }),
      new Promise((resolve) => controller.signal.addEventListener('abort', resolve)),
    ]).catch(() => undefined);
  }
  const summary = await importLogs(project, { 'access.log': log });
  expect(summary.sent + summary.repeated).toBe(readable);
  expect(summary.repeated).toBeGreaterThan(500);
  expect(await readPaths(project)).toHaveLength(readable);
});

it('records a log only once if it is imported again days later', async () => {
  const project = await createProject();
  const lines = createLines('later', 1_500);
  await app.database.dataSource.query('UPDATE instance_settings SET unknown_retention_days = 7');
  const advanceDays = (days: number): void => void jest.spyOn(Date, 'now').mockReturnValue(START + days * DAY_MS);
  const selected = lines.filter((_, index) => index % 2 === 0);
  advanceDays(1);
  expect((await importLogs(project, { 'a.log': joinLines(lines) })).sent).toBe(1_500);
  for (const days of [2, 4, 6.9]) {
    advanceDays(days);
    expect((await importLogs(project, { 'a.log': joinLines(selected) })).repeated).toBe(selected.length);
    expect((await importLogs(project, { 'a.log': joinLines([createLine(`/more/${days}`, 9), ...lines]) })).sent).toBe(
      1,
    );
  }
  const all = extractPaths(
    lines,
    [2, 4, 6.9].map((days) => createLine(`/more/${days}`, 9)),
  );
  expect(await readPaths(project)).toEqual(all);
  // New lines are recorded even if other lines from the same day were imported long ago.
  advanceDays(20);
  expect(pickCounts(await importLogs(project, { 'b.log': joinLines(createLines('new', 10)) }))).toEqual({
    ...noFailures,
    sent: 10,
    repeated: 0,
  });
  // Identical requests are recognized for longer than identical lines.
  advanceDays(25);
  expect((await importLogs(project, { 'a.log': gzipSync(joinLines(lines)) })).sent).toBe(0);
});

it('orders visits by time, even if the log is reversed', async () => {
  const project = await createProject();
  const lines = createLines('ordered', 100);
  await importLogs(project, { 'a.log': joinLines(lines.toReversed()) });
  const rows = await readVisits(app.database.dataSource, project.id);
  expect(rows.map(({ path }) => path)).toEqual(lines.map((logLine) => extractPaths([logLine])[0]));
});
