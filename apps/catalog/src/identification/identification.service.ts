import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Identification } from '#libs/agents';
import { IdentificationApi, type IdentificationItem, type SiteSettings } from '#libs/catalog';
import type { Explanation, PublicIdentification } from '#libs/contracts';
import { Identifier, type IdentificationRequest, type Identified } from '#libs/evidence';
import { Counter } from 'prom-client';

/** Milliseconds for lookups. The caller's deadline is two seconds. */
const TIMEOUT_MS = 1_500;
/** Number of items processed before yielding to the event loop. */
const SLICE = 100;

const results = new Counter({
  name: 'agent_traffic_identifications_total',
  help: 'Identification and verification responses',
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
    lookUpMs = TIMEOUT_MS,
  ): Promise<PublicIdentification[]> {
    const deadline = performance.now() + lookUpMs;
    const slices: Promise<Identified[]>[] = [];
    for (let from = 0; from < items.length; from += SLICE) {
      // Verifying many signatures takes a while. Other requests run in between.
      if (from > 0) await setImmediate();
      const requests = items.slice(from, from + SLICE).map((item) => requestOf(item, site));
      // Lookups run concurrently with the next slice.
      const slice = this.identifier.identifyAll(requests, deadline - performance.now());
      slice.catch(() => undefined);
      slices.push(slice);
    }
    const known = (await Promise.all(slices)).flat();
    return known.map(({ identification }) => counted(identification));
  }

  /** Like {@link identify}, but returns null if a lookup is needed, which continues in the background. */
  identifyAtOnce(items: readonly IdentificationItem[], site: SiteSettings): PublicIdentification[] | null {
    const answers: PublicIdentification[] = [];
    for (const item of items) {
      const answer = this.identifier.identifyImmediately(requestOf(item, site));
      if (answer === null) return null;
      answers.push(publicIdentification(answer.identification));
    }
    for (const { result } of answers) results.inc({ result });
    return answers;
  }

  async explain(item: IdentificationItem, site: SiteSettings): Promise<Explanation> {
    const [answer] = await this.identifier.identifyAll([requestOf(item, site)], TIMEOUT_MS);
    return { client_address: answer!.clientAddress, identification: answer!.identification };
  }
}

const requestOf = ({ headers, method, path, peer }: IdentificationItem, site: SiteSettings): IdentificationRequest => ({
  headers,
  method,
  path,
  peer,
  site,
});

function counted(identification: Identification): PublicIdentification {
  results.inc({ result: identification.result });
  return publicIdentification(identification);
}

function publicIdentification(identification: Identification): PublicIdentification {
  const { result, agent_id, agent_token, agent_url, agent_type_name, operator_name } = identification;
  if (agent_id === null) return { result };
  return {
    result,
    agent_id,
    ...(agent_token !== null && { agent_token }),
    ...(agent_url !== null && { agent_url }),
    ...(agent_type_name !== null && { agent_type_name }),
    ...(operator_name !== null && { operator_name }),
  };
}
