import type { FastifyInstance } from 'fastify';
import { receiveDrain, recordVisits } from '#libs/contracts';
import type { Admission } from '#libs/platform';
import { weightOf, type AdmissionService } from './admission.service.js';
import { RefusalPacer } from './refusal-pacer.js';
import { RequestQueue } from './request-queue.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where visits are recorded. */
    admission: Admission;
  }
}

/** What a body takes whose length was not announced, in bytes. */
const UNKNOWN_LENGTH_BYTES = 16 * 1024;

/** Refuses visits that cannot be recorded in time, before their body is read; to be registered after what authenticates. */
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
    // Fastify refuses it with 413, and reads nothing that could take the place of others.
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
      // There may be capacity by the time that it is the refusal's turn.
      if (reply.raw.destroyed || admit()) return;
      request.context.isSummarized = true;
      const refusal = service.refuse('before_body');
      // Firehose reads no problem documents: drains are answered by the slower way, where those are put differently.
      if (operation === receiveDrain) done(refusal.problem);
      else refusal.send(request, reply);
    });
  });
}
