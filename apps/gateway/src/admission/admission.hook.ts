import type { FastifyInstance } from 'fastify';
import { receiveDrain, recordVisits } from '#libs/contracts';
import type { Admission } from '#libs/platform';
import { weightOf, type AdmissionService } from './admission.service.js';
import { RefusalPacer } from './refusal-pacer.js';
import { RequestQueue } from './request-queue.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes that record visits. */
    admission: Admission;
  }
}

/** Assumed body size for requests without a Content-Length. */
const UNKNOWN_LENGTH_BYTES = 16 * 1024;

/**
 * Registers a hook that refuses visits under overload, before their body is read. Must be registered after the
 * authentication hook.
 */
export function registerAdmission(
  instance: FastifyInstance,
  service: Pick<AdmissionService, 'control' | 'refuse'>,
): void {
  const { control } = service;
  const queue = new RequestQueue();
  const pacer = new RefusalPacer();
  instance.decorateRequest('admission');
  instance.addHook('onRequest', (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    if (operation !== recordVisits && operation !== receiveDrain) return void done();
    const bytes = Number(request.headers['content-length'] ?? UNKNOWN_LENGTH_BYTES);
    // Fastify responds with 413 without reading the body.
    if (bytes > request.routeOptions.bodyLimit) return void done();
    const admit = (): boolean => {
      const admission = control.admit(weightOf(bytes), request.context.projectId!);
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
      // Capacity may have become available in the meantime.
      if (reply.raw.destroyed || admit()) return;
      request.context.isSummarized = true;
      const refusal = service.refuse('before_body');
      // Firehose can't read problem documents, so drain refusals go through the hook that converts them.
      if (operation === receiveDrain) done(refusal.problem);
      else refusal.send(request, reply);
    });
  });
}
