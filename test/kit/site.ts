/** Sites on localhost that can receive test visits. Call `disposeSites` to stop them. */
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { temporaryFolder } from './instance.js';

const cleanups: (() => Promise<unknown>)[] = [];

export async function disposeSites(): Promise<void> {
  for (const close of cleanups.splice(0)) await close();
}

/** Site whose integration can be installed later. */
export class Site {
  url = '';
  private reportVisit: RequestListener = () => undefined;
  private integrations = 0;

  private constructor(private readonly folder: string) {}

  /** @param add Adds pages other than `/`. */
  static async start(add: (server: FastifyInstance) => void = () => undefined): Promise<Site> {
    const site = new Site(await temporaryFolder());
    const server = fastify({ forceCloseConnections: true });
    cleanups.push(async () => {
      await server.close();
      await rm(site.folder, { recursive: true });
    });
    server.addHook('onRequest', async (request, reply) => site.reportVisit(request.raw, reply.raw));
    server.get('/', async () => 'welcome');
    add(server);
    site.url = await server.listen({ port: 0, host: '127.0.0.1' });
    return site;
  }

  /** @param source Module source as shown in the dashboard. */
  async installIntegration(source: string): Promise<void> {
    const path = join(this.folder, `agent-traffic-${++this.integrations}.mjs`);
    await writeFile(path, source);
    this.reportVisit = ((await import(path)) as { reportVisit: RequestListener }).reportVisit;
  }
}

/**
 * Starts a site that doesn't report visits.
 *
 * @returns its URL
 */
export async function startSilentSite(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
