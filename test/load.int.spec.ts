import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { customFormat, LogParser, toVisit } from '#libs/access-log';
import { App } from './kit/app.js';
import { temporaryFolder, until } from './kit/instance.js';
import { countLoadLog, describeLoad, LOAD_LOG_FORMAT, writeLoadLog } from './kit/load-log.js';

const LINES = 20_000;
const BATCH = 1_000;

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

it('reports the same load of each agent as awk counts in the log', async () => {
  const file = join(folder, 'access.log');
  await writeLoadLog(file, LINES, Date.now());
  const { id } = (await app.api('POST', '/projects', { name: 'Load' })).body;
  const { token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
  const parser = new LogParser(customFormat(LOAD_LOG_FORMAT));
  const visits = (await readFile(file, 'latin1'))
    .trimEnd()
    .split('\n')
    .map((text) => {
      const parsed = parser.read(text);
      if (!('line' in parsed)) throw new Error(JSON.stringify(parsed));
      return toVisit(parsed.line);
    });
  for (let start = 0; start < visits.length; start += BATCH) {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': `${start}` };
    const batch = visits.slice(start, start + BATCH);
    // A busy machine can reject a request with 503.
    await until(async () => (await app.send('POST', '/visits', batch, headers)).status === 204, {
      condition: 'the visits are accepted',
    });
  }
  const from = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const load = await until(
    async () => {
      const { body } = await app.api('GET', `/projects/${id}/load?by=agent&from=${from}`);
      return body.total.requests === LINES && body;
    },
    { condition: 'all visits are stored' },
  );
  expect(describeLoad(load)).toEqual(countLoadLog(file));
  expect(load.total.repeats).toBeGreaterThan(1_000);
});
