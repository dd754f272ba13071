import { auditOf } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import type { AuditRepository } from './audit.repository.js';
import type { RejectionsRepository } from './rejections.repository.js';

/**
 * Records rejected sign-ins, and operations that database triggers can't see, such as revealing a secret. The operation
 * is recorded before the response is sent, so nothing is revealed without a record.
 */
export function registerAudit(instance: FastifyInstance, log: AuditRepository, rejections: RejectionsRepository): void {
  instance.addHook('preHandler', (request, _reply, done) => {
    const { context } = request;
    const { operation } = request.routeOptions.config ?? {};
    const call = operation === undefined ? 'nothing' : auditOf(operation);
    let recorded: Promise<void> | undefined;
    if (typeof call === 'object') {
      context.recordDeed = async () => {
        if (context.actor !== undefined) await (recorded ??= log.record(context.actor, call, request));
      };
    }
    done();
  });
  instance.addHook('onResponse', (request, _reply, done) => {
    const { operation } = request.routeOptions.config ?? {};
    const { problem } = request.context;
    if (operation !== undefined && problem !== undefined) rejections.refused(request, operation, problem);
    done();
  });
  instance.addHook('onSend', (request, reply, payload, done) => {
    // Undefined if Fastify rejects the request before its first hook.
    const context = request.context as typeof request.context | undefined;
    if (context?.recordDeed === undefined || reply.statusCode >= 400) return done(null, payload);
    context.recordDeed().then(
      () => done(null, payload),
      (error: Error) => done(error),
    );
  });
}
