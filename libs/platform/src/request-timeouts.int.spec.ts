import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createHttpApp } from './http-app.js';
import { PlatformModule } from './platform.module.js';

it('rejects headers that take longer than 10 s, before the default check 30 s after the start', async () => {
  const logger = pino({ level: 'silent' });
  const app = await createHttpApp({ module: class Service {}, imports: [PlatformModule.forRoot(logger)] }, logger);
  await app.listen(0, '127.0.0.1');
  const startedAt = performance.now();
  const socket = connect((app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
  const send = setInterval(() => socket.write('x'), 1_000);
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  const response = await text(socket);
  const elapsedMs = performance.now() - startedAt;
  clearInterval(send);
  await app.close();
  expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(elapsedMs).toBeLessThan(20_000);
}, 60_000);
