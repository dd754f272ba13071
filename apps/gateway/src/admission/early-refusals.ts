import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { recordVisits } from '#libs/contracts';
import { countAnswer, discardUnreadBody, saneRequestId } from '#libs/platform';
import type { AdmissionService } from './admission.service.js';
import type { RefusalPacer } from './refusal-pacer.js';

/** What Node 24 has beside what it documents; where it is missing, the hook refuses. */
type SocketOfServer = Socket & {
  /** `onIncoming` is called with the head of each request, and makes its response. */
  parser?: { onIncoming?: ((request: IncomingMessage, isKept: boolean) => unknown) | null } | null;
  /** The response that is being written. */
  _httpMessage?: unknown;
};

interface Refused {
  request: IncomingMessage;
  socket: Socket;
  at: number;
}

/**
 * Refuses visits while none are admitted of any project, before there is a response and before Fastify knows of their
 * request: whose they are makes no difference then, and either takes as long as the refusal. Drains and clients that
 * resend in a loop are refused by the hook.
 */
export function registerEarlyRefusals(
  instance: FastifyInstance,
  service: Pick<AdmissionService, 'control' | 'refuse'>,
  pacer: RefusalPacer,
): void {
  const { server } = instance;
  const kept = `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(server.keepAliveTimeout / 1_000)}\r\n`;
  let isOpen = true;
  // Fastify ends the connections then.
  instance.addHook('preClose', async () => void (isOpen = false));

  /** Those that were read in this turn of the event loop. */
  let refused: Refused[] = [];
  const answerAll = (): void => {
    const all = refused;
    refused = [];
    for (const { request, socket, at } of all) {
      const refusal = service.refuse('before_body');
      const id = saneRequestId(request.headers['x-request-id']) ?? randomUUID();
      if (!socket.destroyed) socket.write(refusal.answer(id, kept), 'latin1');
      const { statusCode: status, type: problem } = refusal.problem;
      countAnswer({ method: 'POST', route: recordVisits.path, status, problem }, (performance.now() - at) / 1_000);
    }
  };
  // An answer wakes its client, which may run on this machine: then it takes the processor from the request read next.
  const answerLater = (request: IncomingMessage, socket: Socket): void => {
    if (refused.push({ request, socket, at: performance.now() }) === 1) setImmediate(answerAll);
  };

  server.on('connection', (socket: SocketOfServer) => {
    const { parser } = socket;
    const onIncoming = parser?.onIncoming;
    if (typeof onIncoming !== 'function') return;
    /** Whether the socket has the timeout of an idle connection from here: the server doesn't know of it. */
    let isTimed = false;
    parser!.onIncoming = (request, isKept) => {
      const isRefused =
        isOpen &&
        isKept &&
        postsVisits(request) &&
        // Answers keep the order of their requests, and a client that reads none of them is not read, either.
        !socket._httpMessage &&
        !socket.writableNeedDrain &&
        service.control.isFull &&
        pacer.take();
      if (!isRefused) {
        if (isTimed) socket.setTimeout(0);
        isTimed = false;
        if (refused.some((each) => each.socket === socket)) answerAll();
        return onIncoming(request, isKept);
      }
      if (!socket.timeout) {
        isTimed = true;
        // As the server does it: a while after the time that the answer names.
        socket.setTimeout(server.keepAliveTimeout + server.keepAliveTimeoutBuffer);
      }
      discardUnreadBody(request);
      answerLater(request, socket);
      return 0;
    };
  });
}

/** Whether a request posts visits, and neither asks first nor for another protocol. */
const postsVisits = ({ url, method, headers }: IncomingMessage): boolean =>
  url === recordVisits.path && method === 'POST' && headers.expect === undefined && headers.upgrade === undefined;
