import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

it.each([
  ['libs/client-python/agent_traffic.py', /__version__ = "(.+)"/],
  ['libs/client-php/AgentTraffic.php', /VERSION = '(.+)'/],
  ['libs/client-php/wordpress/agent-traffic.php', /Version: (.+)/],
])('%s has the same version as the product', async (file, version) => {
  const { version: expected } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(version.exec(await readFile(join(ROOT, file), 'utf8'))?.[1]).toBe(expected);
});
