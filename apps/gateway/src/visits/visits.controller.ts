import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ProblemError } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AdmissionService } from '../admission/admission.service.js';
import { RateLimitService } from '../access/rate-limit.service.js';
import { VisitsService, type Posted } from './visits.service.js';

const KEY = /^[\x20-\x7e]{1,255}$/;

@Controller('visits')
export class VisitsController {
  constructor(
    private readonly visits: VisitsService,
    private readonly admission: AdmissionService,
    private readonly rates: RateLimitService,
  ) {}

  /** Records visits: 204 means that they are safe. */
  @Post()
  @HttpCode(204)
  @RouteConfig({ access: 'project', rawBody: true, admission: true })
  async record(
    @Req() request: FastifyRequest<{ Body: Buffer }>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const posted: Posted = {
      project: request.project,
      bytes: request.body ?? Buffer.alloc(0),
      idempotencyKey: idempotencyKey(request.headers['idempotency-key']),
      traceparent: request.context.traceparent,
    };
    const { accepted, refused } = await this.admission.run(request.admission, posted.bytes.length, () =>
      this.visits.record(posted),
    );
    if (this.rates.enabled) await this.rates.charge(request.project.projectId, accepted + refused, reply);
    if (refused > 0) void reply.header('x-visits-rejected', String(refused));
  }
}

function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && KEY.test(header)) return header;
  throw new ProblemError('malformed-request', 'The Idempotency-Key must be 1 to 255 printable ASCII characters.');
}
