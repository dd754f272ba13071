import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder, until } from '../kit/instance.js';
import { createTestClient } from '../system/target.js';

const MIGRATE = join(import.meta.dirname, '../../docs/migrate.md');

it("redirects the hosted service's SDK to an instance with the module in docs/migrate.md", async () => {
  const client = await createTestClient('Hosted SDK');
  const [, redirect] = /```js\n(\/\/ agent-traffic-redirect[^`]+)```/.exec(await readFile(MIGRATE, 'utf8'))!;
  const module = join(await temporaryFolder(), 'agent-traffic-redirect.mjs');
  await writeFile(module, redirect!);
  const program = `
    const { AgentType, DarkVisitors } = (await import('${import.meta.resolve('@darkvisitors/sdk')}')).default;
    const sdk = new DarkVisitors('${client.target.accessToken}');
    sdk.trackVisit({ path: '/from-sdk', method: 'GET', headers: { 'user-agent': 'GPTBot/1.2', cookie: 'a=b' } });
    console.log(await sdk.generateRobotsTxt([AgentType.AIDataScraper, AgentType.HeadlessAgent], '/private/'));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', module, '--input-type=module', '-e', program],
    { env: { AGENT_TRAFFIC_URL: client.target.url } },
  );
  expect(stdout).toContain('User-agent: GPTBot\nDisallow: /private/\n');
  const [visit] = await until(
    async () => {
      const visits = await client.visits();
      return visits.length === 1 && visits;
    },
    { condition: 'the visit is stored' },
  );
  expect(visit).toMatchObject({ visit: { request_path: '/from-sdk' }, identification: { agent_token: 'GPTBot' } });
});
