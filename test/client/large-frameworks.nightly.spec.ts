import { isAbsolute, join } from 'node:path';
import { Pool } from 'undici';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { freePort, Instance, pause, until } from '../kit/instance.js';
import { removeFolder, temporaryFolder } from '../kit/run-folder.js';
import { ServerProcess } from '../stack/server-process.js';
import { installSite, LARGE_SITES } from './large-site-programs.js';

const VISITS = 10_000;
const VISITS_BEFORE_KILL = 3_000;
const OUTAGE_MS = 20_000;
const CONCURRENCY = 50;
/**
 * Batch size for workers. Each batch must be stored before the next is sent, because workers retain visits only
 * briefly.
 */
const WORKER_VISITS = 1_000;
const HEADERS = { 'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)' };

it.each(Object.entries(LARGE_SITES))(
  'delivers all 10,000 visits from a %s site, with a 20 s outage unless it is a worker',
  async (_, program) => {
    const folder = await temporaryFolder();
    await installSite(folder, program);
    const first = await Instance.start({ env: CREDENTIALS_ENV });
    const port = await freePort();
    const [command, ...args] = program.serve(port) as [string, ...string[]];
    const site = new ServerProcess({
      command: isAbsolute(command) ? command : join(folder, 'node_modules/.bin', command),
      args,
      cwd: folder,
      env: { NODE_ENV: 'production', AGENT_TRAFFIC_URL: first.url, AGENT_TRAFFIC_TOKEN: CREDENTIALS.accessToken },
      port,
      stopTimeoutMs: 60_000,
    });
    await site.start();
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONCURRENCY });
    const visit = async (from: number, count: number): Promise<string[]> => {
      const paths = Array.from({ length: count }, (_, index) => `${program.paths[index % 2]}${from + index}`);
      const remainingPaths = paths.values();
      const visitor = async (): Promise<void> => {
        for (const path of remainingPaths) {
          const { statusCode, body } = await pool.request({ method: 'GET', path, headers: HEADERS });
          await body.dump();
          if (statusCode !== 200) throw new Error(`${path} returned status ${statusCode}\n${site.output}`);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, visitor));
      return paths;
    };

    const waitUntilStored = async (count: number, at: string) =>
      until(
        async () => {
          const found = await new Client({ ...CREDENTIALS, url: at }).visits();
          return found.length >= count && found;
        },
        { condition: `${count} visits are stored`, timeoutMs: 120_000, explain: () => site.output },
      );

    let instance = first;
    const paths: string[] = [];
    if (program.isWorker) {
      while (paths.length < VISITS) {
        paths.push(...(await visit(paths.length, WORKER_VISITS)));
        await waitUntilStored(paths.length, first.url);
      }
    } else {
      paths.push(...(await visit(0, VISITS_BEFORE_KILL)));
      const rest = visit(VISITS_BEFORE_KILL, VISITS - VISITS_BEFORE_KILL);
      await first.kill();
      paths.push(...(await rest));
      await pause(OUTAGE_MS);
      instance = await first.restart();
      await site.stop();
    }
    await pool.destroy();
    const visits = await waitUntilStored(VISITS, instance.url);
    expect(visits.map(({ visit: { request_path: path } }) => path).toSorted()).toEqual(paths.toSorted());
    await site.stop();
    await instance.dispose();
    await removeFolder(folder);
  },
  600_000,
);
