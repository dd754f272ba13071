import { Injectable } from '@nestjs/common';
import { ProblemError } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { AttemptsService } from '../access/attempts.service.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly secondFactors: SecondFactorsRepository,
    private readonly attempts: AttemptsService,
  ) {}

  /** Consumes a second-factor code. @throws ProblemError 422 if it's wrong or used, 429 after too many attempts. */
  async require(request: FastifyRequest, user: { id: string; email: string }, given: string): Promise<void> {
    const code = given.replaceAll(/\s/g, '');
    await this.attempts.secondFactor(request, user);
    if (!(await this.secondFactors.accept(user.id, code))) throw wrongCode();
  }
}

export const wrongCode = (): ProblemError =>
  new ProblemError('invalid-body', 'The code is wrong, or was used already. Wait for the next one.', {
    errors: [{ pointer: '/code', detail: 'must be the code that your app shows now, or a recovery code' }],
    rejected: 'code',
  });
