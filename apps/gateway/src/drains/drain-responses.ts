import { receiveDrain } from '#libs/contracts';
import { DRAIN_SENDERS } from '#libs/drains';
import type { FastifyInstance } from 'fastify';

/** Registers a hook that converts drain responses to the format that the log sender expects. */
export function registerDrainResponses(instance: FastifyInstance): void {
  instance.addHook('onSend', (request, reply, payload, done) => {
    if (request.routeOptions.config.operation !== receiveDrain) return void done(null, payload);
    const { source } = request.params as { source?: string };
    const sender = DRAIN_SENDERS.find(({ name }) => name === source);
    const { problem } = request.context;
    const response =
      problem === undefined ? sender?.answer?.(request.headers) : sender?.refusal?.(request.headers, problem.message);
    if (response?.contentType !== undefined) void reply.header('content-type', response.contentType);
    done(null, response?.body ?? payload);
  });
}
