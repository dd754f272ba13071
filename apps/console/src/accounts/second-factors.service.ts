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

  /**
   * Consumes a second-factor code.
   *
   * @throws {ProblemError} 422 if the code is wrong or already used, or 429 after too many attempts.
   */
  async require(request: FastifyRequest, user: { id: string; email: string }, typedCode: string): Promise<void> {
    const code = typedCode.replaceAll(/\s/g, '');
    await this.attempts.secondFactor(request, user);
    if (!(await this.secondFactors.consumeCode(user.id, code))) throw wrongCode();
  }
}

export const wrongCode = (): ProblemError =>
  new ProblemError('invalid-body', 'The code is wrong or was already used. Wait for the next one.', {
    errors: [{ pointer: '/code', detail: 'must be the current code from your app, or a recovery code' }],
    rejected: 'code',
  });
