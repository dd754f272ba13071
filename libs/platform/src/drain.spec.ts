import { once } from 'node:events';
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
  };
  const stopped = stopListening(server);
  for (const end = performance.now() + 300; performance.now() < end;) await open();
  await stopped;
  await expect(open()).rejects.toThrow('ECONNREFUSED');
});
