/** Runs a pod from the rendered chart in podman to check its image, command, user, and security context. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { parseManifests } from '../helm/chart.ts';
import { podman, ROOT } from './podman.ts';

const NAME = 'agent-traffic-chart';

/**
 * Runs the `rules` pod alongside the docker-compose.yml containers, with their Redis and secrets.
 *
 * @throws {Error} if the pod doesn't start or has more privileges than its manifest allows
 */
export async function checkChart(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-chart-'));
  const file = join(folder, 'pod.yaml');
  try {
    await writeFile(file, stringify(await createRulesPod(folder)));
    await podman('kube', 'play', '--network', 'agent-traffic_redis', file);
    const container = `${NAME}-rules`;
    await podman('exec', container, 'node', '-e', WAIT_UNTIL_READY);
    const [user, ...limits] = (await podman('exec', container, 'node', '-e', REPORT)).split('\n');
    if (user !== '1000:1000') throw new Error(`The rules pod runs as user ${user}. Expected 1000:1000.`);
    if (limits.join() !== 'read-only,0000000000000000,1')
      throw new Error(`The rules pod has too many privileges: ${limits.join()}`);
    return "The chart's rules pod runs as user 1000, unprivileged, with a read-only root file system";
  } finally {
    await podman('kube', 'down', file).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Replaces features that podman lacks. Projected secrets become a folder, and the image becomes the local one. */
async function createRulesPod(folder: string): Promise<object> {
  const manifests = parseManifests(await readFile(join(ROOT, 'test/helm/golden/small.yaml'), 'utf8'));
  const { spec } = manifests.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'agent-traffic-rules',
  )!;
  const { template } = spec;
  const [container] = template.spec.containers;
  const secrets = join(folder, 'secrets');
  await mkdir(secrets, { mode: 0o755 });
  const read = container.env.flatMap(({ value }) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? []);
  for (const name of [...read, 'redis-password']) {
    const value = await podman('exec', 'agent-traffic-rules-1', 'cat', `/run/secrets/${name}`);
    await writeFile(join(secrets, name), value, { mode: 0o644 });
  }
  const env = container.env.map(({ name, value }) => ({
    name,
    value: name === 'REDIS_URL' ? 'redis://rules@redis:6379' : value,
  }));
  env.push({ name: 'REDIS_PASSWORD_FILE', value: '/run/secrets/redis-password' });
  const { securityContext, terminationGracePeriodSeconds } = template.spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: NAME, labels: {} },
    spec: {
      securityContext,
      terminationGracePeriodSeconds,
      containers: [{ ...container, image: 'localhost/agent-traffic:latest', imagePullPolicy: 'Never', env }],
      volumes: [
        { name: 'secrets', hostPath: { path: secrets, type: 'Directory' } },
        { name: 'tmp', emptyDir: {} },
      ],
    },
  };
}

const WAIT_UNTIL_READY = `
const deadline = Date.now() + 30000;
const ask = () => fetch('http://127.0.0.1:3006/readyz').then(({ ok }) => ok, () => false);
while (!(await ask())) if (Date.now() > deadline) process.exit(1); else await new Promise((done) => setTimeout(done, 300));`;

const REPORT = `
const fs = require('node:fs');
const status = fs.readFileSync('/proc/1/status', 'utf8');
const value = (name) => new RegExp(name + ':\\\\s+(\\\\S+)').exec(status)[1];
console.log(value('Uid') + ':' + value('Gid'));
try { fs.writeFileSync('/app/x', ''); console.log('writable'); } catch ({ code }) { console.log(code === 'EROFS' ? 'read-only' : code); }
console.log(value('CapEff') + '\\n' + value('NoNewPrivs'));`;
