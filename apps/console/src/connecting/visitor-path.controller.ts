import { Controller } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { compileProxyNetworks, detectedPath, isStatedPath, normalizeHeaders } from '#libs/agents';
import { BUNDLED_PARTS } from '#libs/catalog';
import { getVisitorPath, type TrustedProxies, type VisitorPath } from '#libs/contracts';
import { Handle, type RequestOf } from '#libs/platform';
import { StoredVisitsRepository } from '#libs/visit-store';
import { ProjectsRepository } from '../projects/projects.repository.js';

const MAX_VISITS = 200;

/** Detects how visitors reach a site, and proposes a setting for it. */
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
    // Visits of unknown visitors only have all headers if the project keeps them.
    const visits = await this.visits.newestPaths(id, unknown !== 'kept', MAX_VISITS);
    const requests = visits.map(({ headers, peer }) => ({ headers: normalizeHeaders(headers), peer }));
    const detected = detectedPath(requests, this.networks);
    const proposal = detected && {
      trusted_proxies: withOwnRanges(detected.proxies, setting),
      visits: detected.requests,
    };
    return {
      is_stated: isStatedPath(setting),
      visits: visits.length,
      unconfirmed_visits: visits.filter(({ isUnconfirmed }) => isUnconfirmed).length,
      networks: this.networks.known.map(({ operator }) => operator),
      proposal: isOpen(setting) && !isDeepStrictEqual(proposal?.trusted_proxies, setting) ? proposal : null,
    };
  }
}

/**
 * Returns whether a proposal may replace the setting. Hops, headers or “no proxies” state what visits can't show, so
 * they stay.
 */
const isOpen = (setting: TrustedProxies): boolean => !isStatedPath(setting) || setting.networks !== undefined;

/** Adds the configured ranges, since the site's own proxies may be between it and the networks. */
function withOwnRanges(detected: TrustedProxies, { ranges: own = [] }: TrustedProxies): TrustedProxies {
  if (detected.mode === 'none') return detected;
  const ranges = [...new Set([...own, ...(detected.ranges ?? [])])];
  return ranges.length === 0 ? detected : { ...detected, ranges };
}
