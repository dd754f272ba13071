import { Controller } from '@nestjs/common';
import { recordVisits } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { AdmissionService } from '../admission/admission.service.js';
import { RateLimitService } from '../access/rate-limit.service.js';
import { parseImportHeader } from './imported-lines.js';
import { VisitsService, type VisitsRequest } from './visits.service.js';

const KEY = /^[\x20-\x7e]{1,255}$/;

@Controller()
export class VisitsController {
  constructor(
    private readonly visits: VisitsService,
    private readonly admission: AdmissionService,
    private readonly rates: RateLimitService,
  ) {}

  /** Records visits. A 204 response means that all valid ones are safely stored. */
  @Handle(recordVisits)
  async record({ body, project, raw, reply }: RequestOf<typeof recordVisits>): Promise<void> {
    const posted: VisitsRequest = {
      project,
      bytes: body ?? Buffer.alloc(0),
      idempotencyKey: idempotencyKey(raw.headers['idempotency-key']),
      imported: parseImportHeader(raw.headers['agent-traffic-import']),
      traceparent: raw.context.traceparent,
    };
    const { accepted, refused, isReplayed, repeated } = await this.admission.run(
      raw.admission,
      posted.bytes.length,
      () => this.visits.record(posted),
    );
    if (this.rates.enabled) await this.rates.charge(project.projectId, accepted + refused, reply);
    if (isReplayed) void reply.header('idempotent-replayed', 'true');
    if (posted.imported !== null) void reply.header('x-visits-repeated', String(repeated));
    if (refused > 0) void reply.header('x-visits-rejected', String(refused));
  }
}

function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && KEY.test(header)) return header;
  throw new ProblemError('malformed-request', 'The Idempotency-Key must be 1 to 255 printable ASCII characters.');
}
