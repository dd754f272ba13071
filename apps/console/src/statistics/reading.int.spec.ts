import { App } from '../../../../test/kit/app.js';
import { ReadingRepository } from './reading.repository.js';

it('leaves connections to whoever reports visits, however many read', async () => {
  const app = await App.start();
  const reading = app.nest.get(ReadingRepository, { strict: false });
  const reads = Promise.allSettled(
    Array.from({ length: 12 }, () => reading.read((query) => query('SELECT pg_sleep(3)', []))),
  );
  const visit = { request_path: '/', request_method: 'GET', request_headers: {} };
  expect((await app.post('/visits', visit)).status).toBe(204);
  expect((await reads).map(({ status }) => status)).toEqual(Array(12).fill('fulfilled'));
  await app.dispose();
});
