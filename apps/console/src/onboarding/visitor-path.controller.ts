import { Controller } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { compileProxyNetworks, detectPath, hasConfiguredPath, normalizeHeaders } from '#libs/agents';
import { BUNDLED_PARTS } from '#libs/catalog';
import { getVisitorPath, type TrustedProxies, type VisitorPath } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { StoredVisitsRepository } from '#libs/visit-store';
import { ProjectsRepository } from '../projects/projects.repository.js';

const MAX_VISITS = 200;

/** Detects the proxies between visitors and a site, and proposes a setting for them. */
@Controller()
export class VisitorPathController {
  private readonly networks = compileProxyNetworks(BUNDLED_PARTS.proxies);

  constructor(
    private readonly projects: ProjectsRepository,
    private readonly visits: StoredVisitsRepository,
  ) {}

  @Handle(getVisitorPath)
  async get({ params: { id } }: RequestOf<typeof getVisitorPath>): Promise<VisitorPath> {
    const { trusted_proxies: setting, unknown_visitors: unknown } = await this.projects.require(id);
    // Visits by unknown visitors include all headers only if the project stores them.
    const visits = await this.visits.newestOrigins(id, unknown !== 'kept', MAX_VISITS);
    const requests = visits.map(({ headers, peer }) => ({ headers: normalizeHeaders(headers), peer }));
    const detected = detectPath(requests, this.networks);
    const proposal = detected && {
      trusted_proxies: addConfiguredRanges(detected.proxies, setting),
      visits: detected.requests,
    };
    return {
      is_stated: hasConfiguredPath(setting),
      visits: visits.length,
      unconfirmed_visits: visits.filter(({ isUnconfirmed }) => isUnconfirmed).length,
      networks: this.networks.known.map(({ operator }) => operator),
      proposal: isReplaceable(setting) && !isDeepStrictEqual(proposal?.trusted_proxies, setting) ? proposal : null,
    };
  }
}

/**
 * Returns whether a proposal may replace the setting. Settings with hops, headers or “no proxies” can't be derived from
 * visits, so they aren't replaced.
 */
const isReplaceable = (setting: TrustedProxies): boolean =>
  !hasConfiguredPath(setting) || setting.networks !== undefined;

/** Adds the configured ranges, because the site's own proxies may be between the site and the networks. */
function addConfiguredRanges(
  detected: TrustedProxies,
  { ranges: configuredRanges = [] }: TrustedProxies,
): TrustedProxies {
  if (detected.mode === 'none') return detected;
  const ranges = [...new Set([...configuredRanges, ...(detected.ranges ?? [])])];
  return ranges.length === 0 ? detected : { ...detected, ranges };
}
