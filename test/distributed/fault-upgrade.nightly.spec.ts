/** Upgrades from the previous release to this one under load, service by service. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureBuild, OUR_BUILD, type Build } from '../bench/against/build.ts';
import { Deployment, SERVICES } from '../kit/deployment.js';
import { findPreviousRelease } from '../kit/previous-release.js';
import { temporaryFolder } from '../kit/instance.js';
import { FaultTrials } from '../kit/fault-trials.js';

const MIGRATIONS = 'libs/database/src/migrations';
/** Upgrade order from docs/operations/backup.md. */
const UPGRADE_ORDER = ['console', 'catalog', 'rules', 'enrichment', 'ingest', 'gateway'] as const;

let previousBuild: Build;
let deployment: Deployment;
let trials: FaultTrials;

beforeAll(async () => {
  previousBuild = await ensureBuild(await findPreviousRelease());
  trials = new FaultTrials(await temporaryFolder());
  deployment = await Deployment.start({
    root: previousBuild.root,
    only: [...SERVICES, 'edge'],
    // With two replicas, both releases run side by side.
    scale: { gateway: 2, enrichment: 2, ingest: 2 },
  });
}, 900_000);
afterAll(async () => {
  trials?.print();
  await deployment?.dispose();
});

it('neither loses nor duplicates visits during an upgrade from the previous release', async () => {
  const { stack } = deployment;
  const row = await trials.run(deployment, `upgraded from ${previousBuild.name}`, async () => {
    await stack.switchBuild(OUR_BUILD.root);
    // A service from the previous release must be able to restart with the newer schema.
    for (const name of UPGRADE_ORDER) {
      const process = stack.service(name).at(-1)!;
      await process.kill();
      await process.start();
    }
    for (const name of UPGRADE_ORDER) await stack.replace(name);
  });
  // Killing a gateway drops its connections, but the other one continues to serve requests.
  expect(Number(row.accepted)).toBeGreaterThan(90);
  const { rows } = await deployment.database.query('SELECT reason, detail FROM dead_letters');
  expect(rows).toEqual([]);
}, 600_000);

it('prevents the previous release from starting on the upgraded database', async () => {
  const [ours, theirs] = await Promise.all(
    [OUR_BUILD, previousBuild].map(({ root }) => readdir(join(root, MIGRATIONS))),
  );
  const back = deployment.stack.switchBuild(previousBuild.root);
  // If this release has no new migration, the previous release is allowed to start.
  if (ours!.length === theirs!.length) return back;
  await expect(back).rejects.toThrow(
    /This database was migrated by a newer release of Agent Traffic \(\w+(, \w+)*\)\. Run that release or a later one, or restore a backup from before the update\./,
  );
}, 60_000);
