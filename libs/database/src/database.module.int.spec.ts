import { Test, type TestingModule } from '@nestjs/testing';
import { PlatformModule } from '#libs/platform';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { until } from '../../../test/kit/instance.js';
import { TcpRelay } from '../../../test/kit/tcp-relay.js';
import { DatabaseModule } from './database.module.js';

let database: TestDatabase;
let relay: TcpRelay;
const lines: string[] = [];
const logger = pino({}, { write: (line: string) => lines.push(line) });

beforeAll(async () => {
  database = await startTestDatabase();
  relay = await TcpRelay.start(() => Number(new URL(database.url).port));
});
afterAll(async () => {
  await relay.close();
  await database.stop();
});

const start = (change: (url: URL) => void): Promise<TestingModule> => {
  const url = new URL(database.url);
  // The URL's `host` parameter points to a Unix socket, which would bypass the TCP relay.
  url.searchParams.delete('host');
  change(url);
  return Test.createTestingModule({
    imports: [PlatformModule.forRoot(logger), DatabaseModule.forRoot({ url: url.href })],
  }).compile();
};

it('waits until the database is reachable', async () => {
  relay.isReachable = false;
  const starting = start((url) => (url.port = String(relay.port)));
  await until(async () => lines.join('').includes('not available yet'), { condition: 'the retry is logged' });
  relay.isReachable = true;
  const module = await starting;
  expect(await module.get(DataSource).query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await module.close();
});

it('fails immediately if the database does not exist', async () => {
  await expect(start((url) => (url.pathname = '/nowhere'))).rejects.toThrow('database "nowhere" does not exist');
});
