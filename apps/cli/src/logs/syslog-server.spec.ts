import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from '../../../../test/kit/instance.js';
import { SyslogServer } from './syslog-server.js';

const taken: { message: string; finished: boolean; source: number }[] = [];
const faults: string[] = [];
let sources = 0;
let server: SyslogServer;
let port: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  server = new SyslogServer({
    plain: { host: '127.0.0.1', port: 0 },
    newSource: () => {
      const source = (sources += 1);
      return { take: (message, finished) => void taken.push({ message, finished, source }) };
    },
    onFault: (reason) => void faults.push(reason),
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

const isTaken = (message: string) =>
  until(async () => taken.find((each) => each.message === message), { what: message });

/** Sends a datagram and resolves once the server has received it. */
async function sendDatagram(message: string) {
  const udp = createSocket('udp4');
  udp.send(`${message}\n`, port, '127.0.0.1');
  const found = await isTaken(message);
  udp.close();
  return found;
}

it('receives UDP and TCP on one port, with each connection as its own source', async () => {
  const { source } = await sendDatagram('<134>by UDP');
  const [one, other] = [await tcp(), await tcp()];
  one.write('first\n');
  other.write('second\n');
  one.end('cut');
  const found = [await isTaken('first'), await isTaken('second'), await isTaken('cut')];
  expect(new Set([source, ...found.map((each) => each.source)]).size).toBe(3);
  expect(found.map(({ finished }) => finished)).toEqual([true, true, false]);
});

it('holds back TCP senders while paused', async () => {
  const socket = await tcp();
  socket.write('before\n');
  await isTaken('before');
  server.pause();
  socket.write('after\n');
  const later = await tcp();
  later.write('later\n');
  // UDP isn't paused. By the time this datagram arrives, the TCP messages could have been read.
  await sendDatagram('<134>meanwhile');
  expect(taken.map(({ message }) => message)).toEqual(expect.not.arrayContaining(['after', 'later']));
  server.resume();
  await isTaken('after');
  await isTaken('later');
});

it('closes a connection that announces an oversized message', async () => {
  const socket = await tcp();
  socket.on('error', () => undefined);
  socket.write('9999999 <1>');
  await once(socket, 'close');
  expect(faults).toEqual(['a message of 9999999 bytes']);
});
