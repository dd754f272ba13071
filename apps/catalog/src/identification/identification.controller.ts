import { Controller } from '@nestjs/common';
import { explainAlone, identifyAlone, identifyTogether } from '#libs/catalog';
import type { Explanation, PublicIdentification } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { IdentificationService } from './identification.service.js';

/** Internal API for the gateway and the console, called by `HttpIdentificationApi`. */
@Controller()
export class IdentificationController {
  constructor(private readonly identifications: IdentificationService) {}

  @Handle(identifyTogether)
  together({ body }: RequestOf<typeof identifyTogether>): (PublicIdentification[] | null)[] {
    return body.map(({ items, site }) => this.identifications.identifyAtOnce(items, site));
  }

  @Handle(identifyAlone)
  async alone({ body }: RequestOf<typeof identifyAlone>): Promise<PublicIdentification[]> {
    return this.identifications.identify(body.items, body.site, body.timeoutMs);
  }

  @Handle(explainAlone)
  async explain({ body }: RequestOf<typeof explainAlone>): Promise<Explanation> {
    return this.identifications.explain(body.item, body.site);
  }
}
