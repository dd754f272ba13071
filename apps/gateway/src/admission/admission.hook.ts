import type { FastifyInstance } from 'fastify';
import { receiveDrain, recordVisits } from '#libs/contracts';
import type { Admission } from '#libs/platform';
import { requestWeight, type AdmissionService } from './admission.service.js';
import { RejectionPacer } from './rejection-pacer.js';
import { RequestQueue } from './request-queue.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Admission of the request. Set on routes that record visits. */
    admission: Admission;
  }
}

/** Assumed body size for requests without a Content-Length header. */
const UNKNOWN_LENGTH_BYTES = 16 * 1024;

/**
 * Registers a hook that sheds load by rejecting visits before their body is read. Must be registered after the
 * authentication hook, which sets the project ID.
 */
export function registerAdmission(
  instance: FastifyInstance,
  service: Pick<AdmissionService, 'control' | 'refuse'>,
): void {
  const { control } = service;
  const queue = new RequestQueue();
  const pacer = new RejectionPacer();
  instance.decorateRequest('admission');
  instance.addHook('onRequest', (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    if (operation !== recordVisits && operation !== receiveDrain) return void done();
    const bytes = Number(request.headers['content-length'] ?? UNKNOWN_LENGTH_BYTES);
    // Fastify will respond with 413 without reading the body.
    if (bytes > request.routeOptions.bodyLimit) return void done();
    const admit = (): boolean => {
      const admission = control.admit(requestWeight(bytes), request.context.projectId!);
      if (admission === null) return false;
      request.admission = admission;
      reply.raw.once('close', () => control.abandon(admission));
      pacer.admitted();
      queue.push(bytes, () => {
        if (reply.raw.destroyed) return;
        control.expectBody(admission);
        done();
      });
      return true;
    };
    if (admit()) return;
    pacer.push(() => {
      // The rejection may have been delayed, so check again whether there's enough capacity now.
      if (reply.raw.destroyed || admit()) return;
      request.context.isSummarized = true;
      const rejection = service.refuse('before_body');
      // Some log senders can't read problem documents, so pass rejections of drain requests to the hook that converts
      // them.
      if (operation === receiveDrain) done(rejection.problem);
      else rejection.send(request, reply);
    });
  });
}
