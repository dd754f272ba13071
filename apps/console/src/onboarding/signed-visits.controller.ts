import { Controller } from '@nestjs/common';
import { signTestVisit, type TestVisit } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { TestAgentService } from './test-agent.service.js';

@Controller()
export class SignedVisitsController {
  constructor(private readonly testAgent: TestAgentService) {}

  /** Signs a request without sending it, so clients can't make this server send requests to arbitrary URLs. */
  @Handle(signTestVisit)
  async sign({ body }: RequestOf<typeof signTestVisit>): Promise<TestVisit> {
    const url = new URL(body.url);
    if (url.protocol === 'https:' || url.protocol === 'http:') return this.testAgent.signVisit(url);
    throw new ProblemError('invalid-body', 'The URL must start with http:// or https://.', {
      errors: [{ pointer: '/url', detail: 'must start with http:// or https://' }],
    });
  }
}
