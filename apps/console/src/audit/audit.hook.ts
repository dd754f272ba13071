import { getAudit, type Operation } from '#libs/contracts';
import type { FastifyInstance } from 'fastify';
import type { AuditRepository } from './audit.repository.js';
import type { RejectionsRepository } from './rejections.repository.js';

/**
 * Records rejected sign-ins, and operations that database triggers can't detect, such as revealing a secret. These are
 * recorded before the response is sent, so no secret is revealed without an audit entry.
 */
export function registerAudit(instance: FastifyInstance, log: AuditRepository, rejections: RejectionsRepository): void {
  instance.addHook('preHandler', (request, _reply, done) => {
    const { context } = request;
    const { operation } = request.routeOptions.config ?? {};
    const call = operation === undefined ? 'nothing' : getAudit(operation);
    let recorded: Promise<void> | undefined;
    // A HEAD request neither exports nor reveals anything.
    if (operation !== undefined && typeof call === 'object' && request.method !== 'HEAD') {
      const { params, body } = request;
      const query = readQueryTexts(operation, request.query as Record<string, unknown>);
      context.recordAuditEntry = async () => {
        if (context.actor !== undefined) await (recorded ??= log.record(context.actor, call, { params, query, body }));
      };
    }
    done();
  });
  instance.addHook('onResponse', (request, _reply, done) => {
    const { operation } = request.routeOptions.config ?? {};
    const { problem } = request.context;
    if (operation !== undefined && problem !== undefined) rejections.recordRejection(request, operation, problem);
    done();
  });
  instance.addHook('onSend', (request, reply, payload, done) => {
    // The context is undefined if Fastify rejects the request before its first hook runs.
    const context = request.context as typeof request.context | undefined;
    if (context?.recordAuditEntry === undefined || reply.statusCode >= 400) return done(null, payload);
    context.recordAuditEntry().then(
      () => done(null, payload),
      (error: Error) => done(error),
    );
  });
}

/** Returns the declared query parameters as the caller wrote them, or their defaults. Blank parameters are undefined. */
const readQueryTexts = ({ query = {} }: Operation, texts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([name, { schema }]) => [name, texts[name] || (schema as { default?: unknown }).default]),
  );
