import { Controller } from '@nestjs/common';
import { IdentificationApi } from '#libs/catalog';
import { identifyAgents, verifyAgent, type PublicIdentification } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { identificationItems } from './identification.validation.js';

type Identified = PublicIdentification & { id?: string };

/** Who sent a request, and whether that is proven. Catalog answers; here is who may ask, and what for. */
@Controller()
export class IdentificationController {
  constructor(private readonly identifications: IdentificationApi) {}

  /** The answer has the form of the request: one result, or an array of them in its order. */
  @Handle(identifyAgents)
  async identify({ project, body }: RequestOf<typeof identifyAgents>): Promise<Identified | Identified[]> {
    const requests = identificationItems(body);
    const items = requests.map(({ request_headers: headers, client_address: peer }) => ({
      headers,
      method: null,
      path: null,
      peer,
    }));
    const results = items.length === 0 ? [] : await this.identifications.identify(items, project.site);
    const identified = results.map((result, index) => {
      const id = requests[index]!.id ?? null;
      return id === null ? result : { id, ...result };
    });
    return Array.isArray(body) ? identified : identified[0]!;
  }

  @Handle(verifyAgent)
  async verify({ project, body }: RequestOf<typeof verifyAgent>): Promise<PublicIdentification> {
    const { request_headers: headers, request_path: path, client_address: peer } = body;
    const [result] = await this.identifications.identify([{ headers, method: null, path, peer }], project.site);
    return result!;
  }
}
