import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { run } from '../../apps/cli/src/main.js';
import type { App } from './app.js';

/** Runs commands against an app with its API key. @returns exit codes and stderr. */
export async function commandLine(app: App, ...commands: string[][]): Promise<{ codes: number[]; errors: string }> {
  await app.nest.listen(0, '127.0.0.1');
  const { port } = app.nest.getHttpServer().address() as AddressInfo;
  const address = { AGENT_TRAFFIC_URL: `http://127.0.0.1:${port}`, AGENT_TRAFFIC_API_KEY: app.apiKey };
  Object.assign(process.env, address);
  const errors = jest.spyOn(console, 'error').mockReturnValue();
  try {
    const codes: number[] = [];
    for (const command of commands) codes.push(await run(command, '/nowhere'));
    return { codes, errors: errors.mock.calls.join('\n') };
  } finally {
    errors.mockRestore();
    // Don't replace `process.env`: later test files of this worker keep using the original object.
    for (const name of Object.keys(address)) delete process.env[name];
  }
}
