import { Controller } from '@nestjs/common';
import {
  DRAIN_SOURCES,
  receiveDrain,
  type DrainReceipt,
  type DrainSource,
  type FirehoseReceipt,
} from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { RateLimitService } from '../access/rate-limit.service.js';
import { DrainsService } from './drains.service.js';
import { firehoseReceipt } from './drain-answers.js';

@Controller()
export class DrainsController {
  constructor(
    private readonly drains: DrainsService,
    private readonly rates: RateLimitService,
  ) {}

  /** Records the visits of a log: 200 means that they are safe. */
  @Handle(receiveDrain)
  async receive({
    params,
    body,
    project,
    raw,
    reply,
  }: RequestOf<typeof receiveDrain>): Promise<DrainReceipt | FirehoseReceipt> {
    const source = requireSource(params.source);
    // Also where something is wrong: Vercel asks for it before anything is set up.
    if (source === 'vercel' && project.drains.vercelVerify !== null) {
      void reply.header('x-vercel-verify', project.drains.vercelVerify);
    }
    const receipt = await this.drains.record({
      project,
      source,
      body: body ?? Buffer.alloc(0),
      type: raw.headers['content-type'] ?? '',
      encoding: raw.headers['content-encoding'] ?? '',
      vercelSignature: raw.headers['x-vercel-signature'],
      traceparent: raw.context.traceparent,
      admission: raw.admission,
    });
    if (this.rates.enabled) await this.rates.charge(project.projectId, receipt.visits, reply);
    return source === 'aws-firehose' ? firehoseReceipt(raw) : receipt;
  }
}

function requireSource(name: string): DrainSource {
  const source = DRAIN_SOURCES.find((each) => each === name);
  if (source !== undefined) return source;
  throw new ProblemError(
    'not-found',
    `"${name}" is not a source of drains. Choose one of: ${DRAIN_SOURCES.join(', ')}.`,
  );
}
