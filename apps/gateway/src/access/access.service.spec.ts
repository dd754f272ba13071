import { setImmediate as turn } from 'node:timers/promises';
import type { PubSub } from '#libs/cache';
import { projectAccess } from '../../../../test/kit/project-access.js';
import type { AccessRepository, ProjectAccess } from './access.repository.js';
import { AccessService } from './access.service.js';
import type { SharedAccess } from './shared-access.service.js';

const TOKEN = 'agt_one';
const CLIENT = {
  get clientAddress(): string {
    throw new Error('nobody needs it');
  },
};

/** Creates a service that knows one token, and a function that changes the token's access. */
function serviceOf(access: Partial<ProjectAccess>) {
  let known = projectAccess(access);
  let announce = (): void => undefined;
  const service = new AccessService(
    { find: async (hashes: string[]) => new Map(hashes.map((hash) => [hash, known])) } as unknown as AccessRepository,
    { keep: () => undefined } as unknown as SharedAccess,
    {
      subscribe: (_channel: string, listener: () => void) => ((announce = listener), () => undefined),
    } as never as PubSub,
  );
  const change = async (to: Partial<ProjectAccess>): Promise<void> => {
    known = { ...known, ...to };
    announce();
    await turn();
  };
  return { service, change };
}

it('rejects a revoked token even if it was accepted before', async () => {
  const { service, change } = serviceOf({});
  for (let time = 0; time < 3; time += 1) await service.authorize(TOKEN, CLIENT);
  await change({ revoked: true });
  await expect(service.authorize(TOKEN, CLIENT)).rejects.toThrow('The access token was revoked.');
  service.onApplicationShutdown();
});

it('restricts a token to its networks immediately after they are set', async () => {
  const { service, change } = serviceOf({});
  await service.authorize(TOKEN, CLIENT);
  await change({ networks: ['192.0.2.0/24'] });
  await service.authorize(TOKEN, { clientAddress: '192.0.2.1' });
  await expect(service.authorize(TOKEN, { clientAddress: '192.0.3.1' })).rejects.toThrow('may not be used from');
  service.onApplicationShutdown();
});
