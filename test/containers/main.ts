/**
 * Runs docker-compose.yml unmodified in containers, using the image from deploy/Dockerfile and Compose on podman's
 * socket. Checks:
 *
 * - memory usage of idle services
 * - system tests through the edge proxy
 * - stored data after restarting every container, and after `down` and `up`
 * - a pod from the Helm chart
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
import { runDocumentedCommands } from './documented-commands.ts';
import { checkImage, buildImages } from './images.ts';
import { checkMemory } from './memory.ts';
import { ComposeProject, configurePodman, podman, ROOT } from './podman.ts';

const EDGE = 'http://127.0.0.1:3000';
const started = Date.now();
const log = (text: string): void =>
  console.log(`${((Date.now() - started) / 1_000).toFixed(0).padStart(4)} s  ${text}`);

await configurePodman();
if (!argv.includes('--no-build')) log(await buildImages());
log(await checkImage());
const project = await ComposeProject.open();
try {
  await project.up();
  log('All services in docker-compose.yml are up and healthy');
  log(await checkMemory(project));
  const environment = {
    TARGET_URL: EDGE,
    TARGET_ACCESS_TOKEN: await project.secret('migrate', 'access-token'),
    TARGET_API_KEY: await project.secret('migrate', 'api-key'),
  };
  await runSystemTests(environment);
  log('The system tests pass through the edge proxy');
  const visit = await storeVisit(environment);
  for (const container of await project.containers()) await podman('restart', '--time', '15', container);
  await project.up();
  await requireVisit(environment, visit);
  await storeVisit(environment);
  log('Visits are stored after restarting every container');
  await project.compose('down');
  await project.up();
  await requireVisit(environment, visit);
  log('Stored visits survived down and up');
  log(await checkChart());
  log(await runDocumentedCommands(project));
} catch (error) {
  console.error(await project.compose('logs', '--no-color', '--tail', '40').catch(String));
  throw error;
} finally {
  if (!argv.includes('--keep')) await project.compose('down', '--volumes');
  await project.close();
}

async function runSystemTests(environment: Record<string, string>): Promise<void> {
  const args = ['run', '--silent', 'test:e2e', '--', '--testPathPatterns', 'test/system/'];
  const tests = spawn('npm', args, { cwd: ROOT, env: { ...process.env, ...environment }, stdio: 'inherit' });
  const [code] = (await once(tests, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The system tests failed in containers');
}

/** Posts a visit with a unique path and waits until it's stored. @returns the path */
async function storeVisit(environment: Record<string, string>): Promise<string> {
  const path = `/containers/${Date.now()}`;
  const visit = { request_path: path, request_method: 'GET', request_headers: { 'user-agent': 'GPTBot/1.3' } };
  const response = await fetch(`${EDGE}/visits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${environment['TARGET_ACCESS_TOKEN']}`, 'content-type': 'application/json' },
    body: JSON.stringify(visit),
  });
  if (response.status !== 204) throw new Error(`Posting a visit returned ${response.status}`);
  await requireVisit(environment, path);
  return path;
}

/** @throws {Error} if no visit with this path is stored within 30 seconds */
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
  throw new Error(`The visit to ${path} wasn't stored`);
}
