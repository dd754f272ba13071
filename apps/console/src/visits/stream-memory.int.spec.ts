import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { until } from '../../../../test/kit/instance.js';
import { storeVisits } from '../../../../test/kit/stored-visits.js';
import { StreamBudget } from './stream-budget.js';

const NOW = Date.parse('2026-11-21T08:31:05.250Z');
const MIB = 2 ** 20;
const VISIT_BYTES = 400_000;
const VISIT_COUNT = 40;
const STREAM_COUNT = 40;
const MAX_UNSENT_BYTES = 8 * MIB;

let app: App;
let project: string;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  app.nest.get(StreamBudget).maxBytes = MAX_UNSENT_BYTES;
  await app.nest.listen(0, '127.0.0.1');
  project = (await app.api('POST', '/projects', { name: 'Shop' })).body.id;
});

/** @param lastEventId Null to receive only new visits. */
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
    while (paths.length < VISIT_COUNT) {
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
          if (paths.length >= VISIT_COUNT) break;
        }
      } catch {
        // The stream was disconnected. The loop resumes it.
      }
    }
    return paths;
  })();
  await opened;
  return { paths: reading };
}

it("limits the bytes buffered for streams that clients don't read, without losing visits", async () => {
  const budget = app.nest.get(StreamBudget, { strict: false });
  const unread = await Promise.all(Array.from({ length: STREAM_COUNT }, () => open(null)));
  let [closedCount, peakUnsentBytes] = [0, 0];
  for (const response of unread) response.on('error', () => undefined).on('close', () => (closedCount += 1));
  const { paths } = await startReading();
  const sampling = setInterval(() => (peakUnsentBytes = Math.max(peakUnsentBytes, budget.unsentBytes)), 1);
  for (let first = 0; first < VISIT_COUNT; first += 8) {
    const visits = Array.from({ length: 8 }, (_, index) => ({
      at: new Date(NOW).toISOString(),
      path: `/${first + index}`,
      extra: { acp_response_body: { text: 'x'.repeat(VISIT_BYTES) } },
    }));
    await storeVisits(app.database.dataSource, project, NOW, visits);
  }
  expect((await paths).toSorted()).toEqual(Array.from({ length: VISIT_COUNT }, (_, index) => `/${index}`).toSorted());
  clearInterval(sampling);
  // Batches that the database returns at the same time can exceed the budget.
  expect(peakUnsentBytes).toBeLessThan(MAX_UNSENT_BYTES + 4 * (MIB + 2 * VISIT_BYTES));
  // Clients only notice that they were disconnected once they read.
  for (const response of unread) response.resume();
  await until(() => closedCount > 0, { condition: 'unread streams are disconnected' });
  for (const response of unread) response.destroy();
});
