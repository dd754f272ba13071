/** Upgrades from the previous release to this one under load, service by service. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOf, OURS, type Build } from '../bench/against/build.ts';
import { Deployment, SERVICES } from '../kit/deployment.js';
import { formerRelease } from '../kit/former-release.js';
import { temporaryFolder } from '../kit/instance.js';
import { Trials } from '../kit/trials.js';

const MIGRATIONS = 'libs/database/src/migrations';
/** The upgrade order in docs/operations/backup.md. */
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
    // Two replicas, so both releases run side by side.
    scale: { gateway: 2, enrichment: 2, ingest: 2 },
  });
}, 900_000);
afterAll(async () => {
  trials?.print();
  await deployment?.dispose();
});

it('loses and duplicates nothing during an upgrade from the previous release', async () => {
  const { stack } = deployment;
  const row = await trials.withstand(deployment, `updated from ${former.name}`, async () => {
    await stack.adopt(OURS.root);
    // A service of the previous release must be able to restart with the newer schema.
    for (const name of ORDER) {
      const process = stack.service(name).at(-1)!;
      await process.kill();
      await process.start();
    }
    for (const name of ORDER) await stack.replace(name);
  });
  // A killed gateway drops its connections while the other one keeps serving.
  expect(Number(row.accepted)).toBeGreaterThan(90);
  const { rows } = await deployment.database.query('SELECT reason, detail FROM dead_letters');
  expect(rows).toEqual([]);
}, 600_000);

it('refuses to start the previous release on the upgraded database', async () => {
  const [ours, theirs] = await Promise.all([OURS, former].map(({ root }) => readdir(join(root, MIGRATIONS))));
  const back = deployment.stack.adopt(former.root);
  // Without a new migration, the previous release may start.
  if (ours!.length === theirs!.length) return back;
  await expect(back).rejects.toThrow(
    /A newer release of Agent Traffic has changed this database \(\w+(, \w+)*\)\. Run that release or a later one, or restore a backup from before the update\./,
  );
}, 60_000);
