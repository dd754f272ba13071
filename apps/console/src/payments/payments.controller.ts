import { Controller, Inject } from '@nestjs/common';
import { getPayments, type PaymentsReport } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { resolveRange } from '../statistics/time-range.js';
import { PaymentsService } from './payments.service.js';

@Controller()
export class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getPayments)
  async report({ params, query }: RequestOf<typeof getPayments>): Promise<PaymentsReport> {
    const { from, to, ...filters } = query;
    const project = await this.projects.require(params.id);
    const now = this.now();
    return this.payments.report(project, resolveRange({ from, to }, now), filters, now);
  }
}
