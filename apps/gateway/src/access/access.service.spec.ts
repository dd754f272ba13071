import { setImmediate } from 'node:timers/promises';
import type { PubSub } from '#libs/cache';
import { createProjectAccess } from '../../../../test/kit/project-access.js';
import type { AccessRepository, ProjectAccess } from './access.repository.js';
import { AccessService } from './access.service.js';
import type { SharedAccess } from './shared-access.service.js';

const TOKEN = 'agt_one';
const CLIENT = {
  get clientAddress(): string {
    throw new Error('clientAddress was read unexpectedly');
  },
};

/** Creates a service that accepts any token with the given access, and a function that changes this access. */
function createService(access: Partial<ProjectAccess>) {
  let currentAccess = createProjectAccess(access);
  let announce = (): void => undefined;
  const service = new AccessService(
    {
      find: async (hashes: string[]) => new Map(hashes.map((hash) => [hash, currentAccess])),
    } as unknown as AccessRepository,
    { keep: () => undefined } as unknown as SharedAccess,
    {
      subscribe: (_channel: string, listener: () => void) => ((announce = listener), () => undefined),
    } as never as PubSub,
  );
  const change = async (to: Partial<ProjectAccess>): Promise<void> => {
    currentAccess = { ...currentAccess, ...to };
    announce();
    await setImmediate();
  };
  return { service, change };
}

it('rejects a revoked token that is still cached', async () => {
  const { service, change } = createService({});
  for (let time = 0; time < 3; time += 1) await service.authorize(TOKEN, CLIENT);
  await change({ revoked: true });
  await expect(service.authorize(TOKEN, CLIENT)).rejects.toThrow('The access token was revoked.');
  service.onApplicationShutdown();
});

it('applies network restrictions as soon as they change', async () => {
  const { service, change } = createService({});
  await service.authorize(TOKEN, CLIENT);
  await change({ networks: ['192.0.2.0/24'] });
  await service.authorize(TOKEN, { clientAddress: '192.0.2.1' });
  await expect(service.authorize(TOKEN, { clientAddress: '192.0.3.1' })).rejects.toThrow('may not be used from');
  service.onApplicationShutdown();
});
