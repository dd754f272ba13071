import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-left-overs.js';
import { until } from '../../../../test/kit/instance.js';
import { storeVisits } from '../../../../test/kit/stored-visits.js';
import { StreamBudget } from './stream-budget.js';

const NOW = Date.parse('2026-11-21T08:31:05.250Z');
const MIB = 2 ** 20;
const VISIT_BYTES = 400_000;
const COUNT = 40;
const STREAMS = 40;
const UNSENT_BYTES = 8 * MIB;

let app: App;
let project: string;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  app.nest.get(StreamBudget).maxBytes = UNSENT_BYTES;
  await app.nest.listen(0, '127.0.0.1');
  project = (await app.api('POST', '/projects', { name: 'Shop' })).body.id;
});

/** @param lastEventId null to receive new visits only. */
const open = (lastEventId: string | null): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { port } = app.nest.getHttpServer().address() as AddressInfo;
    const path = `/api/projects/${project}/visits/stream`;
    const headers = {
      authorization: `Bearer ${app.apiKey}`,
      ...(lastEventId !== null && { 'last-event-id': lastEventId }),
    };
    get({ port, path, headers, agent: false }, resolve).on('error', reject);
  });

/** Reads visit paths until all have arrived, reconnecting like a browser. Resolves once the stream is open. */
async function startReading(): Promise<{ paths: Promise<string[]> }> {
  const paths: string[] = [];
  let lastEventId: string | null = null;
  let isOpened = (): void => undefined;
  const opened = new Promise<void>((resolve) => (isOpened = resolve));
  const reading = (async () => {
    while (paths.length < COUNT) {
      const response = await open(lastEventId);
      let text = '';
      try {
        for await (const chunk of response.setEncoding('utf8')) {
          text += chunk as string;
          const events = text.split('\n\n');
          text = events.pop()!;
          for (const event of events) {
            lastEventId = /^id: (\S+)$/m.exec(event)?.[1] ?? lastEventId;
            const path = /"request_path":\s*"([^"]+)"/.exec(event)?.[1];
            if (path !== undefined) paths.push(path);
          }
          isOpened();
          if (paths.length >= COUNT) break;
        }
      } catch {
        // The stream was cut off. The loop resumes it.
      }
    }
    return paths;
  })();
  await opened;
  return { paths: reading };
}

it('limits the unsent bytes of unread streams without losing visits', async () => {
  const budget = app.nest.get(StreamBudget, { strict: false });
  const unread = await Promise.all(Array.from({ length: STREAMS }, () => open(null)));
  let [ended, most] = [0, 0];
  for (const response of unread) response.on('error', () => undefined).on('close', () => (ended += 1));
  const { paths } = await startReading();
  const sampling = setInterval(() => (most = Math.max(most, budget.unsentBytes)), 1);
  for (let first = 0; first < COUNT; first += 8) {
    const visits = Array.from({ length: 8 }, (_, index) => ({
      at: new Date(NOW).toISOString(),
      path: `/${first + index}`,
      extra: { acp_response_body: { text: 'x'.repeat(VISIT_BYTES) } },
    }));
    await storeVisits(app.database.dataSource, project, NOW, visits);
  }
  expect((await paths).toSorted()).toEqual(Array.from({ length: COUNT }, (_, index) => `/${index}`).toSorted());
  clearInterval(sampling);
  // Parts that the database returns at the same time can exceed the budget.
  expect(most).toBeLessThan(UNSENT_BYTES + 4 * (MIB + 2 * VISIT_BYTES));
  // Cut-off streams only notice once they are read.
  for (const response of unread) response.resume();
  await until(() => ended > 0, { what: 'unread streams were cut off' });
  for (const response of unread) response.destroy();
});
