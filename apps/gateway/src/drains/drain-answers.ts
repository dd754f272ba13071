import { receiveDrain, type FirehoseReceipt } from '#libs/contracts';
import { isProtobuf } from './wrappers.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What Firehose calls a request; it is sent again under the same id. */
const REQUEST_ID = /^[\w.:+/=-]{1,256}$/;

/** Returns the answer that Firehose takes for one: the id of its request, and a time. */
export function firehoseReceipt({ headers }: Pick<FastifyRequest, 'headers'>): FirehoseReceipt {
  const id = headers['x-amz-firehose-request-id'];
  return { requestId: typeof id === 'string' && REQUEST_ID.test(id) ? id : '', timestamp: Date.now() };
}

/**
 * Answers in the form that senders demand. Firehose takes anything but its own for a failure without a reason
 * (docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html), and who exports protobuf to OpenTelemetry gets
 * protobuf, whose empty message has no bytes (opentelemetry.io/docs/specs/otlp).
 */
export function registerDrainAnswers(instance: FastifyInstance): void {
  instance.addHook('onSend', (request, reply, payload, done) => {
    const { problem } = request.context;
    if (request.routeOptions.config.operation !== receiveDrain) return void done(null, payload);
    const { source } = request.params as { source?: string };
    if (source === 'aws-firehose' && problem !== undefined) {
      void reply.header('content-type', 'application/json');
      return void done(null, JSON.stringify({ ...firehoseReceipt(request), errorMessage: problem.message }));
    }
    if (source === 'opentelemetry' && problem === undefined && isProtobuf(request.headers['content-type'])) {
      void reply.header('content-type', 'application/x-protobuf');
      return void done(null, '');
    }
    done(null, payload);
  });
}
