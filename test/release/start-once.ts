import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const START_TIMEOUT_MS = 60_000;

/**
 * Starts an installation, sends a visit with the curl command it prints, and stops it.
 *
 * @returns Time from the start until the visit is accepted, in milliseconds.
 */
export async function startAndStop([command, ...args]: readonly string[], folder: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(command!, args, { cwd: folder, env: { ...process.env, PORT: '0' } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  try {
    const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
    while (!/^ *curl /m.test(output)) await once(child.stdout, 'data', { signal: timeout });
    const { stdout } = await promisify(execFile)('bash', ['-c', /^ *(curl .+)$/m.exec(output)![1]!]);
    if (!stdout.includes('204')) throw new Error(`The printed curl command should return 204, but returned ${stdout}`);
    const milliseconds = performance.now() - startedAt;
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The instance exited with code ${code}`);
    return milliseconds;
  } catch (error) {
    throw new Error(`The instance failed to start, accept a visit or stop. Its output:\n${output}`, { cause: error });
  } finally {
    child.kill('SIGKILL');
  }
}
