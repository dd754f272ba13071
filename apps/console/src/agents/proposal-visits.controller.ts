import { Controller } from '@nestjs/common';
import { countProposalVisits, type ProposalVisits } from '#libs/contracts';
import { Handle } from '#libs/platform';
import { ProposalVisitsService } from './proposal-visits.service.js';

@Controller()
export class ProposalVisitsController {
  constructor(private readonly visits: ProposalVisitsService) {}

  @Handle(countProposalVisits)
  count(): Promise<ProposalVisits> {
    return this.visits.count();
  }
}
