import { Controller } from '@nestjs/common';
import { receiveDrain, type DrainReceipt } from '#libs/contracts';
import { DRAIN_SENDERS, DRAIN_SOURCES, type DrainSender } from '#libs/drains';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { RateLimitService } from '../access/rate-limit.service.js';
import { DrainsService } from './drains.service.js';

@Controller()
export class DrainsController {
  constructor(
    private readonly drains: DrainsService,
    private readonly rates: RateLimitService,
  ) {}

  /** Records visits from a log. A 200 response means that all of them are safely stored. */
  @Handle(receiveDrain)
  async receive({ params, body, project, raw, reply }: RequestOf<typeof receiveDrain>): Promise<DrainReceipt> {
    const sender = requireSender(params.source);
    const { verification } = sender;
    // Send the header with rejections, too, because Vercel verifies the endpoint before the drain is set up.
    const value = verification === undefined ? null : project.drains[verification.value];
    if (value !== null) void reply.header(verification!.header, value);
    const receipt = await this.drains.record({
      project,
      sender,
      body: body ?? Buffer.alloc(0),
      headers: raw.headers,
      traceparent: raw.context.traceparent,
      admission: raw.admission,
    });
    if (this.rates.enabled) await this.rates.charge(project.projectId, receipt.visits, reply);
    return receipt;
  }
}

function requireSender(source: string): DrainSender {
  const sender = DRAIN_SENDERS.find(({ name }) => name === source);
  if (sender !== undefined) return sender;
  throw new ProblemError('not-found', `Unknown drain source "${source}". Use one of: ${DRAIN_SOURCES.join(', ')}.`);
}
