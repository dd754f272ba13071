import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { run } from '../../apps/cli/src/main.js';
import type { App } from './app.js';

/**
 * Runs CLI commands against the app with its API key.
 *
 * @returns the exit codes and stderr
 */
export async function runCommands(app: App, ...commands: string[][]): Promise<{ codes: number[]; errors: string }> {
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
    // Delete the variables instead of replacing `process.env`, because later test files in this worker still use the
    // same object.
    for (const name of Object.keys(address)) delete process.env[name];
  }
}
