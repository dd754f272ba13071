import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance, pause, until } from '../kit/instance.js';
import { Site } from './site.js';
import { FRAMEWORKS } from './site-programs.js';

const VISITS = 10_000;
/** Visits sent before the instance is killed. */
const BEFORE = 3_000;
const AWAY_MS = 20_000;

it.each(FRAMEWORKS)(
  'loses none of 10,000 visits of a site in %s if the instance is down for 20 s and the site exits',
  async (framework) => {
    const first = await Instance.start({ env: CREDENTIALS_ENV });
    const site = await Site.start(framework, { reportsTo: { url: first.url, ...CREDENTIALS } });
    const paths = await site.visit(BEFORE, 50);
    const rest = site.visit(VISITS - BEFORE, 50, BEFORE);
    await first.kill();
    paths.push(...(await rest));
    await pause(AWAY_MS);
    const instance = await first.restart();
    expect(await site.end()).toBe('SIGTERM');

    const client = new Client({ ...CREDENTIALS, url: instance.url });
    const visits = await until(
      async () => {
        const found = await client.visits();
        return found.length >= VISITS && found;
      },
      { what: `${VISITS} visits are stored`, within: 120_000 },
    );
    expect(visits.map(({ visit }) => visit.request_path).toSorted()).toEqual(paths.toSorted());
    await instance.dispose();
  },
  300_000,
);
