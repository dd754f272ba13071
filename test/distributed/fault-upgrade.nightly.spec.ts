/** The former release becomes this one under load, service by service. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOf, OURS, type Build } from '../bench/against/build.ts';
import { Deployment, SERVICES } from '../kit/deployment.js';
import { formerRelease } from '../kit/former-release.js';
import { temporaryFolder } from '../kit/instance.js';
import { Trials } from '../kit/trials.js';

const MIGRATIONS = 'libs/database/src/migrations';
/** Services in the order of docs/operations/backup.md. */
const ORDER = ['console', 'catalog', 'rules', 'enrichment', 'ingest', 'gateway'] as const;

let former: Build;
let deployment: Deployment;
let trials: Trials;

beforeAll(async () => {
  former = await buildOf(await formerRelease());
  trials = new Trials(await temporaryFolder());
  deployment = await Deployment.start({
    root: former.root,
    only: [...SERVICES, 'edge'],
    // Of each, both releases run side by side.
    scale: { gateway: 2, enrichment: 2, ingest: 2 },
  });
}, 900_000);
afterAll(async () => {
  trials?.print();
  await deployment?.dispose();
});

it('loses nothing and stores nothing twice while the former release becomes this one', async () => {
  const { stack } = deployment;
  const row = await trials.withstand(deployment, `updated from ${former.name}`, async () => {
    await stack.adopt(OURS.root);
    // One of the former release that ends meanwhile is started again, with a schema that is newer than it.
    for (const name of ORDER) {
      const process = stack.service(name).at(-1)!;
      await process.kill();
      await process.start();
    }
    for (const name of ORDER) await stack.replace(name);
  });
  // A gateway that is killed breaks its connections; the other one answers meanwhile.
  expect(Number(row.accepted)).toBeGreaterThan(90);
  const { rows } = await deployment.database.query('SELECT reason, detail FROM dead_letters');
  expect(rows).toEqual([]);
}, 600_000);

it('does not go back by itself: the former release refuses a database that this one has changed', async () => {
  const [ours, theirs] = await Promise.all([OURS, former].map(({ root }) => readdir(join(root, MIGRATIONS))));
  const back = deployment.stack.adopt(former.root);
  // Without a migration in between there is nothing to refuse.
  if (ours!.length === theirs!.length) return back;
  await expect(back).rejects.toThrow(
    /A newer release of Agent Traffic has changed this database \(\w+(, \w+)*\)\. Run that release or a later one, or restore a backup from before the update\./,
  );
}, 60_000);
