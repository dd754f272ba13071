/** The deployment of docker-compose.yml, run with the `npm run stack` of the same build. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ALONE, temporaryFolder } from '../../kit/instance.ts';
import { descendants } from '../processes.ts';
import { OURS, type Build } from './build.ts';
import { SideDatabase, type Side } from './side.ts';

/** Offsets that tests and other benchmarks don't use. */
const PORT_OFFSETS = { ours: 6_000, theirs: 6_600 };

const SERVICE = /apps\/\w+\/src\/main\.js$/;

export async function startStackSide(build: Build): Promise<Side> {
  const data = await temporaryFolder();
  const env = Object.entries({ LOG_LEVEL: 'warn', ...ALONE, ...build.env }).flatMap(([name, value]) => [
    '--env',
    `${name}=${value}`,
  ]);
  const args = ['--only', 'gateway,enrichment,ingest,catalog,rules', '--data', data, '--quiet', ...env];
  const offset = String(build.root === OURS.root ? PORT_OFFSETS.ours : PORT_OFFSETS.theirs);
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
    const output = await untilRunning(child.stdout, exited);
    const addressOf = (name: string): string => new RegExp(`^\\s+${name}\\s+(\\S+)`, 'm').exec(output)![1]!;
    const processes = [...(await descendants(child.pid!))];
    const services = processes.filter(([, command]) => SERVICE.test(command)).map(([id]) => id);
    const idOf = (pattern: RegExp): number => processes.find(([, command]) => pattern.test(command))![0];
    const database = await SideDatabase.connect(addressOf('PostgreSQL'));
    return {
      build,
      url: addressOf('gateway'),
      token: (await readFile(join(data, 'secrets/access-token'), 'utf8')).trim(),
      services,
      parts: {
        gateway: idOf(/apps\/gateway\/src/),
        enrichment: idOf(/apps\/enrichment\/src/),
        ingest: idOf(/apps\/ingest\/src/),
        broker: idOf(/kafka\.Kafka/),
        redis: idOf(/redis-server/),
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

/** Waits until the stack is running. @returns its output, which contains the addresses. */
async function untilRunning(stdout: NodeJS.ReadableStream, exited: Promise<unknown>): Promise<string> {
  let output = '';
  const running = new Promise<string>((resolve) => {
    stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Ctrl-C') && output.endsWith('\n\n')) resolve(output);
    });
  });
  const ended = exited.then(() => {
    throw new Error(`the stack ended:\n${output}`);
  });
  return Promise.race([running, ended]);
}
