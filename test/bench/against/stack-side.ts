/** Runs the docker-compose.yml deployment with `npm run stack` from the same build. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OFFLINE_ENV, temporaryFolder } from '../../kit/instance.ts';
import { getDescendants } from '../processes.ts';
import { OUR_BUILD, type Build } from './build.ts';
import { SideDatabase, type Side } from './side.ts';

/** Port offsets that aren't used by tests or other benchmarks. */
const PORT_OFFSETS = { ours: 6_000, theirs: 6_600 };

const SERVICE = /apps\/\w+\/src\/main\.js$/;

export async function startStackSide(build: Build): Promise<Side> {
  const data = await temporaryFolder();
  const env = Object.entries({ LOG_LEVEL: 'warn', ...OFFLINE_ENV, ...build.env }).flatMap(([name, value]) => [
    '--env',
    `${name}=${value}`,
  ]);
  const args = ['--only', 'gateway,enrichment,ingest,catalog,rules', '--data', data, '--quiet', ...env];
  const offset = String(build.name === OUR_BUILD.name ? PORT_OFFSETS.ours : PORT_OFFSETS.theirs);
  const child = spawn(
    join(build.root, 'node_modules/.bin/node'),
    [join(build.root, 'test/stack/main.ts'), ...args, '--port-offset', offset],
    { cwd: build.root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const dispose = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    await rm(data, { recursive: true, force: true });
  };
  try {
    const output = await waitUntilRunning(child.stdout, exited);
    const getAddress = (name: string): string => new RegExp(`^\\s+${name}\\s+(\\S+)`, 'm').exec(output)![1]!;
    const processes = [...(await getDescendants(child.pid!))];
    const services = processes.filter(([, command]) => SERVICE.test(command)).map(([id]) => id);
    const getProcessId = (pattern: RegExp): number => processes.find(([, command]) => pattern.test(command))![0];
    const database = await SideDatabase.connect(getAddress('PostgreSQL'));
    return {
      build,
      url: getAddress('gateway'),
      token: (await readFile(join(data, 'secrets/access-token'), 'utf8')).trim(),
      services,
      parts: {
        gateway: getProcessId(/apps\/gateway\/src/),
        enrichment: getProcessId(/apps\/enrichment\/src/),
        ingest: getProcessId(/apps\/ingest\/src/),
        broker: getProcessId(/kafka\.Kafka/),
        redis: getProcessId(/redis-server/),
      },
      database,
      async dispose() {
        await database.pool.end();
        await dispose();
      },
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/**
 * Waits until the stack is running.
 *
 * @returns the stack's output, which contains the addresses
 */
async function waitUntilRunning(stdout: NodeJS.ReadableStream, exited: Promise<unknown>): Promise<string> {
  let output = '';
  const running = new Promise<string>((resolve) => {
    stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Ctrl-C') && output.endsWith('\n\n')) resolve(output);
    });
  });
  const earlyExit = exited.then(() => {
    throw new Error(`The stack exited:\n${output}`);
  });
  return Promise.race([running, earlyExit]);
}
