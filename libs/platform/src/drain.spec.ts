import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { stopListening } from './drain.js';

it('continues to listen while connections are being opened, then stops', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    await sleep(5);
  };
  const stopped = stopListening(server);
  let opened = 0;
  for (const end = performance.now() + 300; performance.now() < end; opened += 1) await open();
  expect(opened).toBeGreaterThan(10);
  await stopped;
  await expect(open()).rejects.toThrow('ECONNREFUSED');
});
