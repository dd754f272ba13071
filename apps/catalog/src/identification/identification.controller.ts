import { Controller } from '@nestjs/common';
import { explainOperation, identifyOperation, identifyBatchOperation } from '#libs/catalog';
import type { Explanation, PublicIdentification } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { IdentificationService } from './identification.service.js';

/** Internal API for the gateway and the console, which call it through `HttpIdentificationApi`. */
@Controller()
export class IdentificationController {
  constructor(private readonly identifications: IdentificationService) {}

  @Handle(identifyBatchOperation)
  identifyBatch({ body }: RequestOf<typeof identifyBatchOperation>): (PublicIdentification[] | null)[] {
    return body.map(({ items, site }) => this.identifications.identifyAtOnce(items, site));
  }

  @Handle(identifyOperation)
  async identify({ body }: RequestOf<typeof identifyOperation>): Promise<PublicIdentification[]> {
    return this.identifications.identify(body.items, body.site, body.timeoutMs);
  }

  @Handle(explainOperation)
  async explain({ body }: RequestOf<typeof explainOperation>): Promise<Explanation> {
    return this.identifications.explain(body.item, body.site);
  }
}
