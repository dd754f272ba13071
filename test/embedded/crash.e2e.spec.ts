import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { isFullRun } from '../kit/faults.js';
import { Instance, pause, until } from '../kit/instance.js';
import { Load, countStored } from '../kit/load.js';

const KILLS = isFullRun ? 20 : 3;

it(`loses and duplicates no visits when killed ${KILLS} times at random moments under load`, async () => {
  let instance = await Instance.start({ env: CREDENTIALS_ENV });
  const client = new Client({ url: instance.url, ...CREDENTIALS });
  const load = new Load(client, { workers: 6 });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = load.accepted.size;
    await until(() => load.accepted.size > before + 20, { condition: 'visits are accepted' });
    await pause(Math.random() * 300);
    await instance.kill();
    instance = await instance.restart();
  }
  await load.stop();

  const visits = await client.visits();
  const times = countStored(visits);
  const lost = [...load.accepted].filter((number) => !times.has(number));
  const doubled = [...times].filter(([, count]) => count > 1);
  expect(load.accepted.size).toBeGreaterThan(KILLS * 20);
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
  await instance.dispose();
}, 300_000);
