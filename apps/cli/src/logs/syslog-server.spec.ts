import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from '../../../../test/kit/instance.js';
import { SyslogServer } from './syslog-server.js';

const received: { message: string; finished: boolean; source: number }[] = [];
let sources = 0;
let server: SyslogServer;
let port: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  server = new SyslogServer({
    plain: { host: '127.0.0.1', port: 0 },
    newSource: () => {
      const source = (sources += 1);
      return { take: (message, finished) => void received.push({ message, finished, source }) };
    },
  });
  const [text] = await server.start();
  port = Number(/^127\.0\.0\.1:(\d+) \(UDP and TCP\)$/.exec(text!)![1]);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

async function tcp(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const waitForMessage = (message: string) =>
  until(async () => received.find((item) => item.message === message), { condition: message });

/** Sends a datagram and resolves once the server has received it. */
async function sendDatagram(message: string) {
  const udp = createSocket('udp4');
  udp.send(`${message}\n`, port, '127.0.0.1');
  const found = await waitForMessage(message);
  udp.close();
  return found;
}

it('receives UDP and TCP on the same port and treats each connection as a separate source', async () => {
  const { source } = await sendDatagram('<134>by UDP');
  const [one, other] = [await tcp(), await tcp()];
  one.write('first\n');
  other.write('second\n');
  one.end('cut');
  const found = [await waitForMessage('first'), await waitForMessage('second'), await waitForMessage('cut')];
  expect(new Set([source, ...found.map((item) => item.source)]).size).toBe(3);
  expect(found.map(({ finished }) => finished)).toEqual([true, true, false]);
});

it('makes TCP senders wait while the server is paused', async () => {
  const socket = await tcp();
  socket.write('before\n');
  await waitForMessage('before');
  server.pause();
  socket.write('after\n');
  const later = await tcp();
  later.write('later\n');
  // UDP is never paused, so this datagram still arrives. If TCP weren't paused, its messages would have arrived first.
  await sendDatagram('<134>meanwhile');
  expect(received.map(({ message }) => message)).toEqual(expect.not.arrayContaining(['after', 'later']));
  server.resume();
  await waitForMessage('after');
  await waitForMessage('later');
});

it('continues reading a connection after a message size over the limit', async () => {
  const socket = await tcp();
  socket.write('9999999 <1>huge\n12 <134>counted');
  await waitForMessage('<134>counted');
  expect(received.map(({ message }) => message)).toContain('9999999 <1>huge');
});
