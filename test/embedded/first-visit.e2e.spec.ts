import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '../kit/client.js';
import { Instance, temporaryFolder, until } from '../kit/instance.js';

const run = promisify(execFile);

describe('first start', () => {
  let instance: Instance;
  let client: Client;
  /** Error message from a start with a port that's already in use. */
  let portError: string;

  beforeAll(async () => {
    const dataDirectory = await temporaryFolder();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const env = { PORT: String((other.address() as AddressInfo).port) };
    portError = await Instance.start({ dataDirectory, env }).then(String, (error: Error) => error.message);
    other.close();
    instance = await Instance.start({ dataDirectory });
    const { stdout } = await run('cat', [join(instance.dataDirectory, 'api-key')]);
    client = new Client({ url: instance.url, accessToken: '', apiKey: stdout.trim() });
  });
  afterAll(() => instance.dispose());

  it('reports that the port is in use and still prints the token on the next start', () => {
    expect(portError).toMatch(/Port \d+ on 127\.0\.0\.1 is already in use\. .*set PORT/);
    expect(instance.output).toContain('agt_');
  });

  it('prints a curl command that records an identified visit', async () => {
    const line = /^ *(curl .+)$/m.exec(instance.output)![1]!;
    const { stdout } = await run('bash', ['-c', line]);
    expect(stdout).toContain('204');
    const [visit] = await until(async () => (await client.visits()).slice(0, 1), {
      condition: 'the visit is in the timeline',
    });
    expect(visit).toMatchObject({
      visit: { request_path: '/' },
      identification: { result: 'not_verifiable', agent_token: 'Googlebot', agent_type_name: 'Search Engine Crawler' },
    });
  });

  it('serves health checks, metrics, and documentation', async () => {
    expect(await (await fetch(`${instance.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${instance.url}/readyz`)).json()).toMatchObject({
      status: 'ok',
      checks: { database: 'ok', bus: 'ok' },
    });
    expect(await (await fetch(`${instance.url}/metrics`)).text()).toContain('agent_traffic_gateway_visits_total');
    expect((await fetch(`${instance.url}/docs`)).status).toBe(200);
  });

  it('restricts access to its secret files', async () => {
    for (const name of ['api-key', 'secret-key']) {
      expect((await stat(join(instance.dataDirectory, name))).mode & 0o077).toBe(0);
    }
  });

  it('rejects a second start while an instance is running', async () => {
    const second = Instance.start({ dataDirectory: instance.dataDirectory });
    await expect(second).rejects.toThrow(/already running.*\n?.*http:\/\/127\.0\.0\.1/is);
  });

  it('stops cleanly, restarts with its data, and then prints only its address', async () => {
    expect(await instance.stop()).toBe(0);
    instance = await Instance.start({ dataDirectory: instance.dataDirectory });
    client = new Client({ ...client.target, url: instance.url });
    expect(instance.output).not.toContain('curl');
    expect(instance.output).not.toContain('agt_');
    expect(await client.visits()).toHaveLength(1);
  });
});

it('reports all configuration errors at once', async () => {
  const dataDirectory = await temporaryFolder();
  const start = Instance.start({ dataDirectory, env: { PORT: 'x', API_KEY: 'short', LOG_LEVEL: 'loud' } });
  const message = await start.then(String, (error: Error) => error.message);
  for (const name of ['PORT', 'API_KEY', 'LOG_LEVEL']) expect(message).toContain(name);
});
