import type { IncomingHttpHeaders } from 'node:http';
import { Controller } from '@nestjs/common';
import { IdentificationApi } from '#libs/catalog';
import { identifyAgents, TIMEOUT_HEADER, verifyAgent, type PublicIdentification } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { identificationItems } from './identification.validation.js';

type Identified = PublicIdentification & { id?: string };

@Controller()
export class IdentificationController {
  constructor(private readonly identifications: IdentificationApi) {}

  /** Returns a single result for a single request, or an array of results in request order. */
  @Handle(identifyAgents)
  async identify({ project, body, raw }: RequestOf<typeof identifyAgents>): Promise<Identified | Identified[]> {
    const requests = identificationItems(body);
    const items = requests.map(({ request_headers: headers, client_address: peer }) => ({
      headers,
      method: null,
      path: null,
      peer,
    }));
    const results =
      items.length === 0 ? [] : await this.identifications.identify(items, project.site, lookupTimeout(raw.headers));
    const identified = results.map((result, index) => {
      const id = requests[index]!.id ?? null;
      return id === null ? result : { id, ...result };
    });
    return Array.isArray(body) ? identified : identified[0]!;
  }

  @Handle(verifyAgent)
  async verify({ project, body, raw }: RequestOf<typeof verifyAgent>): Promise<PublicIdentification> {
    const { request_headers: headers, request_path: path, client_address: peer } = body;
    const items = [{ headers, method: null, path, peer }];
    const [result] = await this.identifications.identify(items, project.site, lookupTimeout(raw.headers));
    return result!;
  }
}

const TIMEOUT_HEADER_NAME = TIMEOUT_HEADER.toLowerCase();
/** Maximum response time with the default lookup timeout. */
const MAX_RESPONSE_TIME_MS = 2_000;
/** Share of the caller's timeout that lookups can use. The rest covers network latency and other processing. */
const LOOKUP_TIMEOUT_SHARE = 0.75;

/** Returns the lookup timeout in milliseconds, or undefined if the caller's timeout allows for the default one. */
function lookupTimeout(headers: IncomingHttpHeaders): number | undefined {
  const text = headers[TIMEOUT_HEADER_NAME];
  if (typeof text !== 'string' || !/^\d+$/.test(text)) return undefined;
  const timeout = Number(text);
  return timeout < MAX_RESPONSE_TIME_MS ? timeout * LOOKUP_TIMEOUT_SHARE : undefined;
}
