import { FeedsService } from '../../apps/catalog/src/feeds/feeds.service.js';
import { App } from '../kit/app.js';
import { isFullRun } from '../kit/faults.js';
import { until } from '../kit/instance.js';
import { MIB, repeatToBytes } from './bodies.js';
import { expectWithstands } from './withstand.js';

/** Maximum memory in bytes that reading a feed may occupy, for documents of up to 5 MB. */
const MAX_BYTES = 40 * MIB;
const TIMEOUT_MS = 180_000;
const DOCUMENT_BYTES = 3_900_000;

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app?.dispose());

const numbered = <T>(count: number, create: (index: number) => T): string =>
  JSON.stringify(Array.from({ length: count }, (_, index) => create(index)));
const record = (index: number, pattern: string, extra: object = {}) => ({
  token: `Zyx ${index}`,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: [pattern],
  robots_token: null,
  verification: {},
  ...extra,
});

const DOCUMENTS: Record<string, () => string> = {
  'many agents': () => numbered(2_000, (index) => record(index, `zyx${index}`)),
  'many agents with the same pattern': () => numbered(9_000, (index) => record(index, 'zyx')),
  'many agents with the same token': () => numbered(9_000, (index) => record(0, `zyx${index}`)),
  'many agents with invalid fields': () => numbered(9_000, (index) => ({ ...record(index, '('), type: 7, url: 'x' })),
  'many ranges in one agent': () =>
    numbered(1, (index) =>
      record(index, 'zyx', {
        verification: {
          ip_ranges: Array.from({ length: 50_000 }, (_, low) => `10.${low >> 16}.${(low >> 8) & 255}.${low & 255}/32`),
        },
      }),
    ),
  'many samples in one agent': () =>
    numbered(1, (index) => record(index, 'zyx', { sample_user_agents: Array<string>(100_000).fill('zyx') })),
  'members with long names': () =>
    `{"${'x'.repeat(DOCUMENT_BYTES / 2)}":{"operator":"${'['.repeat(DOCUMENT_BYTES / 2)}"}}`,
  'a link of brackets': () => `{"Zyx":{"operator":"${repeatToBytes('[](', DOCUMENT_BYTES)}","function":"x"}}`,
};

it.each(Object.entries(DOCUMENTS).filter((_, index) => isFullRun || index % 3 === 1))(
  'serves other requests while it reads a feed with %s and accepts its agents',
  async (name, createDocument) => {
    const document = createDocument();
    await expectWithstands(name, MAX_BYTES, async () => {
      const response = await app.api('POST', '/agent-feeds', { name, document, accepts_all: true });
      expect([name, response.status]).toEqual([name, 201]);
      const { id } = response.body;
      await until(
        async () => {
          const { feeds } = (await app.api('GET', '/agent-feeds')).body;
          return feeds.find((feed: { id: string; state: string }) => feed.id === id && feed.state !== 'waiting');
        },
        { condition: 'the feed is read' },
      );
      // Wait until its agents are accepted.
      await app.nest.get(FeedsService).readDue();
      const { status, text } = await app.api('DELETE', `/agent-feeds/${id}?agents=remove`);
      return { statusCode: status, payload: text };
    });
  },
  TIMEOUT_MS,
);
