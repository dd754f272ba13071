import { auditOf } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import type { AuditRepository } from './audit.repository.js';

/**
 * Records operations that the tables know nothing of, such as showing a secret: before their answer is sent, so that
 * nothing is shown that can't be recorded.
 */
export function registerAudit(instance: FastifyInstance, log: AuditRepository): void {
  instance.addHook('onSend', (request, reply, payload, done) => {
    // Absent where Fastify refuses before its first hook.
    const context = request.context as typeof request.context | undefined;
    const { operation } = request.routeOptions.config ?? {};
    if (context?.actor === undefined || operation === undefined || reply.statusCode >= 400) return done(null, payload);
    const call = auditOf(operation);
    if (typeof call !== 'object') return done(null, payload);
    log.record(context.actor, call, request).then(
      () => done(null, payload),
      (error: Error) => done(error),
    );
  });
}
