import { Injectable } from '@nestjs/common';
import { KeyValueStore } from '#libs/cache';
import { proofKey, type Visit } from '#libs/contracts';
import { getTestMarker, toTestAgentHeaders } from '#libs/enrichment';

/**
 * Recognizes visits that the console sent to prove a policy, with the User-Agent header of another agent. Only the
 * console can register their random markers, so nobody else can avoid being judged as an impostor, except while the
 * store is unavailable.
 */
@Injectable()
export class PolicyProofsService {
  constructor(private readonly keyValue: KeyValueStore) {}

  /** Returns the visits to identify. Visits of proofs have the test agent's User-Agent header instead of their own. */
  async replaceUserAgents<T extends { projectId: string; visit: Visit }>(visits: readonly T[]): Promise<readonly T[]> {
    const markers = visits.map(({ visit }) => getTestMarker(visit));
    if (markers.every((marker) => marker === null)) return visits;
    return Promise.all(
      visits.map(async (pending, index) => {
        const marker = markers[index]!;
        return marker !== null && (await this.isProof(pending.projectId, marker))
          ? { ...pending, visit: replaceUserAgent(pending.visit) }
          : pending;
      }),
    );
  }

  /**
   * Returns true if the store is unavailable even after a retry: a proof that counts as spoofing could fire alerts, and
   * the result is permanent.
   */
  private async isProof(projectId: string, marker: string): Promise<boolean> {
    const isRegistered = async (): Promise<boolean> => (await this.keyValue.get(proofKey(projectId, marker))) !== null;
    return isRegistered()
      .catch(isRegistered)
      .catch(() => true);
  }
}

const replaceUserAgent = (visit: Visit): Visit => ({
  ...visit,
  request_headers: toTestAgentHeaders(visit.request_headers),
});
