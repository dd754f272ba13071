import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { SECURITY_HEADERS } from './security-headers.js';

const REASON_PHRASES = {
  400: 'Bad Request',
  408: 'Request Timeout',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
} as const;

const DETAILS = {
  400: 'The HTTP request is malformed.',
  408: 'The request took too long to arrive.',
  431: `The URL and headers together exceed ${maxHeaderSize / 1_024} KiB.`,
} as const;

/**
 * Responds to requests that Node.js's HTTP parser rejects. Fastify never receives them, so the response is written
 * directly to the socket.
 */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const { headers, body } = createRejection(status, DETAILS[status]);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${REASON_PHRASES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** Rejects `Expect` headers other than `100-continue`. Node.js would also reject them, but without our headers. */
export function rejectUnsupportedExpectations(instance: FastifyInstance): void {
  instance.server.on('checkExpectation', (_request: unknown, response: ServerResponse) => {
    const { headers, body } = createRejection(
      417,
      'The Expect header only supports 100-continue. Remove any other expectation.',
    );
    response.writeHead(417, headers).end(body);
  });
}

function createRejection(status: keyof typeof REASON_PHRASES, detail: string) {
  const body = JSON.stringify({
    type: '/docs/problems#malformed-request',
    title: 'The request is malformed',
    status,
    detail,
    instance: randomUUID(),
  });
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  return { headers, body };
}
