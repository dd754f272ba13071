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
import { newPost } from '../apps/cli/src/logs/visit-post.js';
import { App } from './kit/app.js';
import { temporaryFolder, until } from './kit/instance.js';
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
async function newProject(): Promise<Project> {
  const { id } = (await app.api('POST', '/projects', { name: 'Imported' })).body;
  const { token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
  return { id, token };
}

const line = (path: string, seconds: number, userAgent = 'GPTBot/1.2'): string => {
  const [, day, month, year, clock] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(
    new Date(START + seconds * 1_000).toUTCString(),
  )!;
  return `198.51.100.7 - - [${day}/${month}/${year}:${clock} +0000] "GET ${path} HTTP/1.1" 200 512 "-" "${userAgent}"`;
};
const linesOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    line(`/${name}/${index}`, index, index % 2 ? 'GPTBot/1.2' : 'Mozilla/5.0'),
  );
const text = (lines: readonly string[]): string => lines.map((each) => `${each}\n`).join('');

interface RunOptions {
  signal?: AbortSignal;
  /** Called with the number of each request before it's made and after its response. */
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
  const post = newPost({ client: { send }, token, retryFor: 60_000, concurrency: 4, signal, onWait: () => undefined });
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

/** Paths of all visits of a project, sorted; throws if counts and rows disagree. */
async function pathsOf({ id }: Project): Promise<string[]> {
  const [{ paths, counted }] = await app.database.dataSource.query(
    `SELECT (SELECT coalesce(array_agg(path), '{}') FROM visits_full WHERE project_id = $1) AS paths,
       (SELECT coalesce(sum(visits), 0)::integer FROM visit_counts WHERE project_id = $1) AS counted`,
    [id],
  );
  expect(counted).toBe(paths.length);
  return paths.toSorted();
}

const pathsIn = (...logs: (readonly string[])[]): string[] =>
  logs
    .flat()
    .map((each) => / \/\S+ /.exec(each)![0].trim())
    .toSorted();

const counts = ({ sent, repeated, refused, unreadable }: ImportSummary) => ({ sent, repeated, refused, unreadable });
const times = { refused: 0, unreadable: 0 };

describe('an imported log', () => {
  const lines = linesOf('a', 2_500);
  const others = linesOf('b', 700);
  const cases: [string, string[]][] = [
    ['again', lines],
    ['with another one behind it', [...lines, ...others]],
    ['behind another one', [...others, ...lines]],
    ['between two parts of another one', [...others.slice(0, 301), ...lines, ...others.slice(301)]],
    ['merged with another one by time', lines.flatMap((each, index) => [each, ...others.slice(index, index + 1)])],
    ['without its start', lines.slice(777)],
    ['without its end', lines.slice(0, 1_999)],
    ['cut on both sides', lines.slice(3, -3)],
    ['as grep leaves it', lines.filter((each) => each.includes('GPTBot'))],
    ['as grep -n leaves it', lines.flatMap((each, index) => (index % 3 ? [] : [`${index + 1}:${each}`]))],
    ['behind the prefix of a container', lines.map((each) => `2026-11-20T10:05:04.210102861Z stdout F ${each}`)],
    ['reversed', lines.toReversed()],
    ['sorted', lines.toSorted()],
    ['with CRLF', lines.map((each) => `${each}\r`)],
  ];

  it.each(cases)('is recorded only once when a variant follows: %s', async (_, changed) => {
    const project = await newProject();
    expect(counts(await importLogs(project, { 'a.log': text(lines) }))).toEqual({ ...times, sent: 2_500, repeated: 0 });
    const isNew = (each: string): boolean => each.includes('/b/');
    const news = changed.filter(isNew);
    const summary = await importLogs(project, { 'changed.log': text(changed) });
    expect(counts(summary)).toEqual({ ...times, sent: news.length, repeated: changed.length - news.length });
    expect(await pathsOf(project)).toEqual(pathsIn(lines, news));
  });

  it.each(cases)('is recorded only once when a variant came first: %s', async (_, changed) => {
    const project = await newProject();
    await importLogs(project, { 'changed.log': text(changed) });
    await importLogs(project, { 'a.log': text(lines) });
    expect(await pathsOf(project)).toEqual(
      pathsIn(
        lines,
        changed.filter((each) => each.includes('/b/')),
      ),
    );
  });

  it('is recorded only once as compressed parts followed by the whole file', async () => {
    const project = await newProject();
    const parts = { 'a.2.gz': gzipSync(text(lines.slice(0, 1_100))), 'a.1.gz': gzipSync(text(lines.slice(1_100))) };
    expect((await importLogs(project, parts)).sent).toBe(2_500);
    expect((await importLogs(project, { 'a.log': text(lines) })).repeated).toBe(2_500);
    expect(await pathsOf(project)).toEqual(pathsIn(lines));
  });

  it('is recorded only once when the same run contains copies', async () => {
    const project = await newProject();
    await importLogs(project, { 'a.log': text(lines), 'copy.log': text(lines), 'start.log': text(lines.slice(0, 90)) });
    expect(await pathsOf(project)).toEqual(pathsIn(lines));
  });

  it('is recorded in each project it is imported into', async () => {
    for (const project of [await newProject(), await newProject()]) {
      expect((await importLogs(project, { 'a.log': text(lines) })).sent).toBe(2_500);
      expect(await pathsOf(project)).toEqual(pathsIn(lines));
    }
  });
});

it('records all lines of two logs with the same first line', async () => {
  for (const runs of [1, 2]) {
    const project = await newProject();
    const first = line('/same', 0);
    const [one, other] = [
      [first, ...linesOf('a', 1_500)],
      [first, ...linesOf('b', 1_500)],
    ];
    if (runs === 1) await importLogs(project, { 'a.log': text(one), 'b.log': text(other) });
    else for (const log of [one, other]) await importLogs(project, { 'access.log': text(log) });
    // Across runs, an equal line can't be distinguished from a repeat.
    const expected = pathsIn(one, runs === 1 ? other : other.slice(1));
    expect(await pathsOf(project)).toEqual(expected);
    for (const log of [other, one]) await importLogs(project, { 'access.log': text(log) });
    expect(await pathsOf(project)).toEqual(expected);
  }
});

it('records identical lines as often as they occur, even after repeated imports', async () => {
  const project = await newProject();
  const lines = Array.from({ length: 3_000 }, (_, index) => line(`/${index % 3 ? index : 'same'}`, 0));
  const log = text(lines);
  const others = text([line('/new', 1)]);
  for (const imported of [log, log, text(lines.slice(0, 500)), text(lines.toReversed()), log + others]) {
    await importLogs(project, { 'access.log': imported });
  }
  expect(await pathsOf(project)).toEqual(pathsIn(lines, [line('/new', 1)]));
});

it('records a followed log only once when it is imported again after growing', async () => {
  const project = await newProject();
  const lines = linesOf('f', 1_300);
  const file = join(folder, 'followed.log');
  await writeFile(file, text(lines.slice(0, 700)));
  const controller = new AbortController();
  const { signal } = controller;
  const following = importLogs(project, { 'followed.log': followFile(file, { signal, poll: 5 }) }, { signal });
  for (let at = 700; at < 1_200; at += 50) {
    await appendFile(file, text(lines.slice(at, at + 50)));
    const stored = at + 50;
    await until(async () => (await pathsOf(project)).length === stored, { what: `${stored} visits are stored` });
  }
  controller.abort();
  await following.catch(() => undefined);
  await appendFile(file, text(lines.slice(1_200)));
  const summary = await importLogs(project, { 'followed.log': text(lines) });
  expect(counts(summary)).toEqual({ ...times, sent: 100, repeated: 1_200 });
  expect(await pathsOf(project)).toEqual(pathsIn(lines));
});

it('records a log only once when imports are aborted at arbitrary requests', async () => {
  const { text: log, readable } = generateLog({ lines: 9_000, seed: 5, start: new Date(START) });
  const project = await newProject();
  for (const [at, state] of [
    [1, 'sent'],
    [2, 'received'],
    [5, 'received'],
    [4, 'sent'],
  ] as const) {
    const controller = new AbortController();
    const onRequest = async (request: number, now: string): Promise<void> => {
      if (request === at && now === state) controller.abort(new Error('killed'));
      // An aborted import never sees the response.
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
  expect(await pathsOf(project)).toHaveLength(readable);
});

it('records a log only once when it is imported again days later', async () => {
  const project = await newProject();
  const lines = linesOf('later', 1_500);
  await app.database.dataSource.query('UPDATE instance_settings SET unknown_retention_days = 7');
  const later = (days: number): void => void jest.spyOn(Date, 'now').mockReturnValue(START + days * DAY_MS);
  const selected = lines.filter((_, index) => index % 2 === 0);
  later(1);
  expect((await importLogs(project, { 'a.log': text(lines) })).sent).toBe(1_500);
  for (const days of [2, 4, 6.9]) {
    later(days);
    expect((await importLogs(project, { 'a.log': text(selected) })).repeated).toBe(selected.length);
    expect((await importLogs(project, { 'a.log': text([line(`/more/${days}`, 9), ...lines]) })).sent).toBe(1);
  }
  const all = pathsIn(
    lines,
    [2, 4, 6.9].map((days) => line(`/more/${days}`, 9)),
  );
  expect(await pathsOf(project)).toEqual(all);
  // New lines are recorded, even if other lines of their day were imported long ago.
  later(20);
  expect(counts(await importLogs(project, { 'b.log': text(linesOf('new', 10)) }))).toEqual({
    ...times,
    sent: 10,
    repeated: 0,
  });
  // Requests that are repeated as a whole are recognized for longer.
  later(25);
  expect((await importLogs(project, { 'a.log': gzipSync(text(lines)) })).sent).toBe(0);
});

it('orders visits by time, even if the log is reversed', async () => {
  const project = await newProject();
  const lines = linesOf('ordered', 100);
  await importLogs(project, { 'a.log': text(lines.toReversed()) });
  const rows: { path: string }[] = await app.database.dataSource.query(
    'SELECT path FROM visits_full WHERE project_id = $1 ORDER BY id',
    [project.id],
  );
  expect(rows.map(({ path }) => path)).toEqual(lines.map((each) => pathsIn([each])[0]));
});
