import { InMemoryKeyValue } from '#libs/cache';
import { bundledCatalog } from './bundled-catalog.js';
import { readSnapshot, writeSnapshot } from './snapshot.js';

it('reads back the written catalog', async () => {
  const store = new InMemoryKeyValue();
  const [agent] = bundledCatalog().agents;
  const { sources: _, ...published } = agent!;
  const catalog = { ...bundledCatalog(), agents: [published] };
  await writeSnapshot(store, { revision: 1, catalog });
  expect(await readSnapshot(store)).toEqual({ revision: 1, catalog });
});
