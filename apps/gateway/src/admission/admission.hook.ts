import type { FastifyInstance } from 'fastify';
import { sendProblem } from '#libs/platform';
import type { AdmissionService } from './admission.service.js';
import { RefusalPacer } from './refusal-pacer.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** More than can be done in time is refused, before the body is read. */
    admission?: boolean;
  }
}

/** What a body takes whose length was not announced, in bytes. */
const UNKNOWN_LENGTH = 16 * 1024;

/** Refuses on routes with `admission: true` what cannot be done in time; to be registered after what authenticates. */
export function registerAdmission(instance: FastifyInstance, admission: AdmissionService): void {
  const pacer = new RefusalPacer();
  instance.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.config.admission) return void done();
    const bytes = Number(request.headers['content-length'] ?? UNKNOWN_LENGTH);
    // Fastify refuses it with 413, and reads nothing that could take the place of others.
    if (bytes > request.routeOptions.bodyLimit) return void done();
    const begin = (): void => {
      if (!admission.expect(bytes)) return void pacer.run(() => admitOr(refuse));
      pacer.admitted();
      done();
    };
    const admitOr = (otherwise: () => void): void => {
      if (admission.hasCapacity) admission.queue.run(bytes, begin);
      else otherwise();
    };
    const refuse = (): void => {
      request.context.isSummarized = true;
      void sendProblem(admission.refuse('before_body'), request, reply);
    };
    // There may be capacity by the time that it is the refusal's turn.
    admitOr(() => pacer.run(() => admitOr(refuse)));
  });
}
