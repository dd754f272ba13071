import { receiveDrain } from '#libs/contracts';
import { DRAIN_SENDERS } from '#libs/drains';
import type { FastifyInstance } from 'fastify';

/** Registers a hook that converts responses to the format each sender expects. */
export function registerDrainAnswers(instance: FastifyInstance): void {
  instance.addHook('onSend', (request, reply, payload, done) => {
    if (request.routeOptions.config.operation !== receiveDrain) return void done(null, payload);
    const { source } = request.params as { source?: string };
    const sender = DRAIN_SENDERS.find(({ name }) => name === source);
    const { problem } = request.context;
    const answer =
      problem === undefined ? sender?.answer?.(request.headers) : sender?.refusal?.(request.headers, problem.message);
    if (answer?.contentType !== undefined) void reply.header('content-type', answer.contentType);
    done(null, answer?.body ?? payload);
  });
}
