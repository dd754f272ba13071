import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { toPublicIdentification, type Identification } from '#libs/agents';
import { IdentificationApi, type IdentificationItem, type SiteSettings } from '#libs/catalog';
import type { Explanation, PublicIdentification } from '#libs/contracts';
import { Identifier, type IdentificationRequest, type IdentifiedRequest } from '#libs/evidence';
import { Counter } from 'prom-client';

/** Time limit for lookups. Callers give up after two seconds. */
const LOOKUP_TIMEOUT_MS = 1_500;
/** Number of items to process before yielding to the event loop. */
const SLICE_SIZE = 100;

const resultsCounter = new Counter({
  name: 'agent_traffic_identifications_total',
  help: 'Identifications, by result',
  labelNames: ['result'],
});

@Injectable()
export class IdentificationService extends IdentificationApi {
  constructor(private readonly identifier: Identifier) {
    super();
  }

  async identify(
    items: readonly IdentificationItem[],
    site: SiteSettings,
    lookupTimeoutMs = LOOKUP_TIMEOUT_MS,
  ): Promise<PublicIdentification[]> {
    const deadline = performance.now() + lookupTimeoutMs;
    const slices: Promise<IdentifiedRequest[]>[] = [];
    for (let start = 0; start < items.length; start += SLICE_SIZE) {
      // Verifying many signatures takes a while, so let other requests run between slices.
      if (start > 0) await setImmediate();
      const requests = items.slice(start, start + SLICE_SIZE).map((item) => toRequest(item, site));
      // Start the lookups of this slice without waiting for them, so they run at the same time as those of the next
      // slice.
      const slice = this.identifier.identifyAll(requests, deadline - performance.now());
      slice.catch(() => undefined);
      slices.push(slice);
    }
    const identifications = (await Promise.all(slices)).flat();
    return identifications.map(({ identification }) => countResult(identification));
  }

  /** Like {@link identify}, but returns null if a lookup is needed. The lookup then continues in the background. */
  identifyAtOnce(items: readonly IdentificationItem[], site: SiteSettings): PublicIdentification[] | null {
    const responses: PublicIdentification[] = [];
    for (const item of items) {
      const identified = this.identifier.identifyImmediately(toRequest(item, site));
      if (identified === null) return null;
      responses.push(toPublicIdentification(identified.identification));
    }
    for (const { result } of responses) resultsCounter.inc({ result });
    return responses;
  }

  async explain(item: IdentificationItem, site: SiteSettings): Promise<Explanation> {
    const [identified] = await this.identifier.identifyAll([toRequest(item, site)], LOOKUP_TIMEOUT_MS);
    return { client_address: identified!.clientAddress, identification: identified!.identification };
  }
}

const toRequest = ({ headers, method, path, peer }: IdentificationItem, site: SiteSettings): IdentificationRequest => ({
  headers,
  method,
  path,
  peer,
  site,
});

function countResult(identification: Identification): PublicIdentification {
  resultsCounter.inc({ result: identification.result });
  return toPublicIdentification(identification);
}
