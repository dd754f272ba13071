import { InMemoryKeyValue } from '#libs/cache';
import { bundledCatalog } from './bundled-catalog.js';
import { readSnapshot, writeSnapshot } from './snapshot.js';

it('has the bundled assistants where a release before published it, which knows none', async () => {
  const store = new InMemoryKeyValue();
  const { assistants, ...earlier } = bundledCatalog();
  await writeSnapshot(store, { revision: 1, catalog: earlier as ReturnType<typeof bundledCatalog> });
  expect((await readSnapshot(store))?.catalog.assistants).toEqual(assistants);
  const own = { ...assistants[0]!, name: 'Mine' };
  await writeSnapshot(store, { revision: 2, catalog: { ...earlier, assistants: [own] } });
  expect((await readSnapshot(store))?.catalog.assistants).toEqual([own]);
});

it('has no data centers where a release before published it', async () => {
  const store = new InMemoryKeyValue();
  const { dataCenterRanges: _, ...earlier } = bundledCatalog();
  await writeSnapshot(store, { revision: 1, catalog: earlier as ReturnType<typeof bundledCatalog> });
  expect((await readSnapshot(store))?.catalog.dataCenterRanges).toEqual([]);
});
