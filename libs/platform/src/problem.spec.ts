import { HttpException } from '@nestjs/common';
import { toProblem } from './problem.filter.js';
import { ProblemError, PROBLEMS } from './problem.js';

describe('problems', () => {
  it.each(Object.entries(PROBLEMS))('%s has a status and a title', (_, { status, title }) => {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
  });

  it('keeps what is meant for the client, and hides the rest', () => {
    const own = new ProblemError('conflict', 'x');
    expect(toProblem(own)).toBe(own);
    expect(toProblem(new HttpException('inside', 404))).toMatchObject({ type: 'not-found' });
    expect(toProblem(Object.assign(new Error('inside'), { statusCode: 413 }))).toMatchObject({ type: 'too-large' });
    expect(toProblem(new Error('timeout exceeded when trying to connect'))).toMatchObject({ type: 'unavailable' });
    for (const error of [new Error('inside'), 'inside', null]) {
      expect(toProblem(error)).toMatchObject({ type: 'internal' });
      expect(toProblem(error).message).not.toContain('inside');
    }
    const refusal = toProblem(new HttpException('inside', 418));
    expect(refusal).toMatchObject({ type: 'malformed-request', message: 'The request cannot be read.' });
  });
});
