/**
 * Runs the unmodified docker-compose.yml in containers, with the image from deploy/Dockerfile and Compose on podman's
 * socket. Checks:
 *
 * - memory of idle services
 * - system tests through the edge
 * - a restart of every container, and `down` followed by `up`, with the stored data
 * - a pod of the Helm chart
 * - the documented commands
 *
 *   node test/containers/main.ts
 *   node test/containers/main.ts --no-build   uses existing images
 *   node test/containers/main.ts --keep       leaves the containers running
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { argv } from 'node:process';
import { checkChart } from './chart.ts';
import { tryCommands } from './documented-commands.ts';
import { checkImage, makeImages } from './images.ts';
import { checkMemory } from './memory.ts';
import { ComposeProject, configurePodman, podman, ROOT } from './podman.ts';

const EDGE = 'http://127.0.0.1:3000';
const started = Date.now();
const say = (text: string): void =>
  console.log(`${((Date.now() - started) / 1_000).toFixed(0).padStart(4)} s  ${text}`);

await configurePodman();
if (!argv.includes('--no-build')) say(await makeImages());
say(await checkImage());
const project = await ComposeProject.open();
try {
  await project.up();
  say('docker-compose.yml is up, and healthy');
  say(await checkMemory(project));
  const environment = {
    TARGET_URL: EDGE,
    TARGET_ACCESS_TOKEN: await project.secret('migrate', 'access-token'),
    TARGET_API_KEY: await project.secret('migrate', 'api-key'),
  };
  await systemTests(environment);
  say('the system tests pass through the edge');
  const visit = await storedVisit(environment);
  for (const container of await project.containers()) await podman('restart', '--time', '15', container);
  await project.up();
  await requireVisit(environment, visit);
  await storedVisit(environment);
  say('every container was restarted, and visits are stored again');
  await project.compose('down');
  await project.up();
  await requireVisit(environment, visit);
  say('down and up again, the visits are there');
  say(await checkChart());
  say(await tryCommands(project));
} catch (error) {
  console.error(await project.compose('logs', '--no-color', '--tail', '40').catch(String));
  throw error;
} finally {
  if (!argv.includes('--keep')) await project.compose('down', '--volumes');
  await project.close();
}

async function systemTests(environment: Record<string, string>): Promise<void> {
  const args = ['run', '--silent', 'test:e2e', '--', '--testPathPatterns', 'test/system/'];
  const tests = spawn('npm', args, { cwd: ROOT, env: { ...process.env, ...environment }, stdio: 'inherit' });
  const [code] = (await once(tests, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the system tests fail in containers');
}

/** Posts a visit with a unique path. @returns the path, once the visit is stored. */
async function storedVisit(environment: Record<string, string>): Promise<string> {
  const path = `/containers/${Date.now()}`;
  const visit = { request_path: path, request_method: 'GET', request_headers: { 'user-agent': 'GPTBot/1.3' } };
  const answer = await fetch(`${EDGE}/visits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${environment['TARGET_ACCESS_TOKEN']}`, 'content-type': 'application/json' },
    body: JSON.stringify(visit),
  });
  if (answer.status !== 204) throw new Error(`a visit was answered with ${answer.status}`);
  await requireVisit(environment, path);
  return path;
}

/** @throws if there is no visit with this path within 30 seconds. */
async function requireVisit(environment: Record<string, string>, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${environment['TARGET_API_KEY']}` };
  const read = async <T>(address: string): Promise<T> =>
    (await fetch(`${EDGE}/api/${address}`, { headers })).json() as T;
  const { projects } = await read<{ projects: { id: string }[] }>('projects');
  for (let attempt = 0; attempt < 60; attempt += 1) {
    for (const { id } of projects) {
      const { visits } = await read<{ visits: unknown[] }>(`projects/${id}/visits?path=${encodeURIComponent(path)}`);
      if (visits.length > 0) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`the visit of ${path} is not stored`);
}
