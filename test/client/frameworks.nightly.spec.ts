import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance, pause, until } from '../kit/instance.js';
import { Site } from './site.js';
import { FRAMEWORKS } from './site-programs.js';

const VISITS = 10_000;
/** Visits sent before the instance is killed. */
const VISITS_BEFORE_KILL = 3_000;
const OUTAGE_MS = 20_000;

it.each(FRAMEWORKS)(
  'delivers all 10,000 visits from a %s site when the instance is down for 20 s and the site exits',
  async (framework) => {
    const first = await Instance.start({ env: CREDENTIALS_ENV });
    const site = await Site.start(framework, { reportsTo: { url: first.url, ...CREDENTIALS } });
    const paths = await site.visit(VISITS_BEFORE_KILL, 50);
    const rest = site.visit(VISITS - VISITS_BEFORE_KILL, 50, VISITS_BEFORE_KILL);
    await first.kill();
    paths.push(...(await rest));
    await pause(OUTAGE_MS);
    const instance = await first.restart();
    expect(await site.stop()).toBe('SIGTERM');

    const client = new Client({ ...CREDENTIALS, url: instance.url });
    const visits = await until(
      async () => {
        const found = await client.visits();
        return found.length >= VISITS && found;
      },
      { condition: `${VISITS} visits are stored`, timeoutMs: 120_000 },
    );
    expect(visits.map(({ visit }) => visit.request_path).toSorted()).toEqual(paths.toSorted());
    await instance.dispose();
  },
  300_000,
);
