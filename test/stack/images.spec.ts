import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { readCompose } from './compose.ts';
import { createCommand } from './images.ts';
import { HostLayout } from './host-layout.ts';

const ROOT = join(import.meta.dirname, '../..');

it('mounts volumes for replicas that start concurrently', async () => {
  const catalog = readCompose(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')).get('catalog')!;
  const data = await mkdtemp(join(tmpdir(), 'agent-traffic-test-'));
  try {
    const layout = new HostLayout({ data, portOffset: 0, root: ROOT, scale: { catalog: 20 } });
    const commands = await Promise.all(
      layout.instances('catalog').map((instance) => createCommand(catalog, instance, layout)),
    );
    expect(commands).toHaveLength(20);
    expect(await readlink(layout.mountPoint('catalog', '/run/secrets'))).toBe(join(data, 'catalog-secrets'));
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});
