import { HttpException } from '@nestjs/common';
import { fastify } from 'fastify';
import { PreparedProblem, sendProblem, toProblem } from './problem.filter.js';
import { ProblemError, PROBLEMS, unavailable } from './problem.js';

describe('PROBLEMS', () => {
  it.each(Object.entries(PROBLEMS))('lists a status and a title for %s', (_, { status, title }) => {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
  });

  it('toProblem preserves problems meant for clients and hides internal errors', () => {
    const clientProblem = new ProblemError('conflict', 'x');
    expect(toProblem(clientProblem)).toBe(clientProblem);
    expect(toProblem(new HttpException('inside', 404))).toMatchObject({ type: 'not-found' });
    expect(toProblem(Object.assign(new Error('inside'), { statusCode: 413 }))).toMatchObject({ type: 'too-large' });
    expect(toProblem(new Error('timeout exceeded when trying to connect'))).toMatchObject({ type: 'unavailable' });
    for (const error of [new Error('inside'), 'inside', null]) {
      expect(toProblem(error)).toMatchObject({ type: 'internal' });
      expect(toProblem(error).message).not.toContain('inside');
    }
    const rejection = toProblem(new HttpException('inside', 418));
    expect(rejection).toMatchObject({ type: 'malformed-request', message: 'The request is malformed.' });
  });

  it('PreparedProblem sends the same response as sendProblem', async () => {
    const instance = fastify({ genReqId: () => 'an-id' });
    const problem = unavailable('Try again later.', undefined, 3);
    const prepared = new PreparedProblem(problem);
    instance.decorateRequest('context');
    instance.addHook('onRequest', (request, reply, done) => {
      request.context = { requestId: request.id, traceparent: '' };
      void reply.header('ratelimit', '"visits";r=0;t=1');
      if (request.method === 'POST') prepared.send(request, reply);
      else done();
    });
    instance.route({
      method: ['GET', 'POST'],
      url: '/',
      handler: (request, reply) => sendProblem(problem, request, reply),
    });
    const [ordinaryResponse, preparedResponse] = await Promise.all(
      (['GET', 'POST'] as const).map(async (method) => {
        const { statusCode, headers, body } = await instance.inject({ method, url: '/' });
        return { statusCode, headers: { ...headers, date: '' }, body };
      }),
    );
    expect(preparedResponse).toEqual(ordinaryResponse);
    expect(ordinaryResponse).toMatchObject({
      statusCode: 503,
      headers: { 'retry-after': '3', 'x-request-id': 'an-id', ratelimit: '"visits";r=0;t=1' },
    });
    await instance.close();
  });
});
