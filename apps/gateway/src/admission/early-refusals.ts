import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { recordVisits } from '#libs/contracts';
import { countAnswer, discardBody, saneRequestId } from '#libs/platform';
import type { AdmissionService } from './admission.service.js';
import type { RefusalPacer } from './refusal-pacer.js';

/**
 * Refuses visits while none are admitted of any project, before Fastify knows of their request: whose they are makes no
 * difference then, and to find out takes as long as the refusal. Drains and clients that resend in a loop are refused
 * by the hook.
 */
export function registerEarlyRefusals(
  instance: FastifyInstance,
  service: Pick<AdmissionService, 'control' | 'refuse'>,
  pacer: RefusalPacer,
): void {
  const { server } = instance;
  // Fastify's own, and those of others; a raw one that listens once does so here, too.
  const listeners = server.rawListeners('request');
  /** Of the requests that were read in this turn of the event loop. */
  let answers: (() => void)[] = [];
  // An answer wakes its client, which may run on this machine: then it takes the processor from the request read next.
  const answerLater = (answer: () => void): void => {
    if (answers.push(answer) > 1) return;
    setImmediate(() => {
      const all = answers;
      answers = [];
      for (const each of all) each();
    });
  };
  let isOpen = true;
  // Fastify ends the connections then.
  instance.addHook('preClose', async () => void (isOpen = false));
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const isVisits = request.url === recordVisits.path && request.method === 'POST';
    if (!isVisits || !isOpen || !service.control.isFull || !pacer.take()) {
      for (const listener of listeners) listener.call(server, request, response);
      return;
    }
    const started = performance.now();
    discardBody(request);
    answerLater(() => {
      const refusal = service.refuse('before_body');
      refusal.write(saneRequestId(request.headers['x-request-id']) ?? randomUUID(), response);
      const { statusCode: status, type: problem } = refusal.problem;
      countAnswer({ method: 'POST', route: recordVisits.path, status, problem }, (performance.now() - started) / 1_000);
    });
  });
}
