import { Controller } from '@nestjs/common';
import { getKeyDirectory } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { TestAgentService } from './test-agent.service.js';

/**
 * Publishes the keys that verify the test agent's signatures (draft-ietf-webbotauth-httpsig-protocol-01, appendix B).
 */
@Controller()
export class KeyDirectoryController {
  constructor(private readonly testAgent: TestAgentService) {}

  @Handle(getKeyDirectory)
  async show({ raw: request, reply }: RequestOf<typeof getKeyDirectory>): Promise<void> {
    const { body, headers } = await this.testAgent.createDirectory(request.headers.host ?? '');
    // Send bytes, because Fastify would add a charset to the content type of a string.
    await reply.headers({ ...headers, 'cache-control': 'public, max-age=3600' }).send(Buffer.from(body));
  }
}
