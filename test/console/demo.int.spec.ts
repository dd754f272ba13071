import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { InstanceClient } from '../../apps/cli/src/client.js';
import { findDemo, removeDemo } from '../../apps/cli/src/demo/demo-project.js';
import { seedDemo } from '../../apps/cli/src/demo/seed-demo.js';
import { App, type Json } from '../kit/app.js';
import '../kit/dispose-left-overs.js';

const DAY = 86_400_000;

it('makes days of visits in a project of their own, once, and removes them again', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const app = await App.start();
  await app.nest.listen(0, '127.0.0.1');
  const { port } = app.nest.getHttpServer().address() as AddressInfo;
  const client = new InstanceClient(`http://127.0.0.1:${port}`, app.apiKey);
  // Of the same name, and somebody's own.
  const { body: other } = await app.api('POST', '/projects', { name: 'Demo shop' });
  const now = Date.now();
  const seed = (days: number) =>
    seedDemo({ client, token: undefined }, { days, seed: 3, now }, new AbortController().signal);

  const { project, visits } = await seed(2);
  expect(project.id).not.toBe(other.id);
  const overview = async (): Promise<Json> => {
    const from = new Date(now - 4 * DAY).toISOString();
    return (await app.api('GET', `/projects/${project.id}/overview?from=${from}`)).body;
  };
  const { current } = await overview();
  expect(current.visits).toBe(visits);
  expect(visits).toBeGreaterThan(2_000);
  for (const result of ['verified', 'verification_failed', 'not_verifiable', 'unknown_agent']) {
    expect([result, current[result] > 10]).toEqual([result, true]);
  }
  // Until the last full quarter of an hour.
  const { body: newest } = await app.api('GET', `/projects/${project.id}/visits?limit=1`);
  expect(now - Date.parse(newest.visits[0].occurred_at)).toBeLessThan(2 * 900_000);
  const { body: mcp } = await app.api('GET', `/projects/${project.id}/visits?mcp_tool=search_products`);
  expect(mcp.visits.length).toBeGreaterThan(3);

  // Again, and of more days: what is there already stays as it is.
  const again = await seed(3);
  expect([again.project.id, again.visits > visits]).toEqual([project.id, true]);
  expect((await overview()).current.visits).toBe(again.visits);

  expect(await removeDemo(client)).toBe(true);
  expect(await findDemo(client)).toBeUndefined();
  expect(await removeDemo(client)).toBe(false);
  expect((await app.api('GET', `/projects/${other.id}`)).status).toBe(200);
});
