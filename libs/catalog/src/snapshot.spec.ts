import { InMemoryKeyValueStore } from '#libs/cache';
import { getBundledCatalog } from './bundled-catalog.js';
import { readSnapshot, writeSnapshot } from './snapshot.js';

it('reads a snapshot back as the catalog that was written', async () => {
  const store = new InMemoryKeyValueStore();
  const [agent] = getBundledCatalog().agents;
  const { sources: _, ...published } = agent!;
  const catalog = { ...getBundledCatalog(), agents: [published] };
  await writeSnapshot(store, { revision: 1, catalog });
  expect(await readSnapshot(store)).toEqual({ revision: 1, catalog });
});
