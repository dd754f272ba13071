import { Injectable } from '@nestjs/common';
import { getFirstIdAt } from '#libs/contracts';
import { CLIENT_ADDRESS } from './client-address.sql.js';
import { timestamp } from './rollups.js';
import { select, type Snapshot } from './snapshot.js';

/** Time in which visits by other identities from a network are counted. */
export interface ReturnWindow {
  /** Identity that was refused or asked to pay, as returned by {@link toIdentity}. */
  identity: string;
  /** Network in CIDR notation: /24 for IPv4, or /48 for IPv6. */
  network: string;
  /** Counts only visits from this address, or from the entire network if null. */
  address: string | null;
  /** Start, excluded, and end, included, in milliseconds since the epoch. */
  start: number;
  end: number;
}

/** Visits by another identity in a {@link ReturnWindow}. */
export interface ReturnVisits {
  /** Index of the window. */
  number: number;
  agent_id: string | null;
  is_spoofed: boolean;
  visits: number;
  /** Time of the first visit, in milliseconds since the epoch. */
  first_at: number;
  /** IDs of the first visits. */
  ids: string[];
}

/** Maximum number of IDs per window and identity. */
export const MAX_RETURN_IDS = 3;

/** Returns the address or network whose visits a window counts. */
export const getWindowOrigin = ({ address, network }: ReturnWindow): string => address ?? network;

/** Returns a text that identifies an agent, or those who claim to be the agent. */
export const toIdentity = (agentId: string | null, isSpoofed: boolean): string =>
  `${agentId ?? '-'}${isSpoofed ? '!' : ''}`;

const NETWORK = `network(set_masklen(address::inet, CASE family(address::inet) WHEN 4 THEN 24 ELSE 48 END))::text`;

/** Reads visits of refused visitors under another identity. */
@Injectable()
export class ReturnVisitsRepository {
  /** Counts visits by other identities in the windows. */
  find(snapshot: Snapshot, projectId: string, windows: readonly ReturnWindow[]): Promise<ReturnVisits[]> {
    const start = Math.min(...windows.map((window) => window.start));
    const end = Math.max(...windows.map((window) => window.end));
    return select(
      snapshot,
      `SELECT number::integer, agent_id, is_spoofed, count(*)::float8 AS visits, min(at)::float8 AS first_at,
         (array_agg(id ORDER BY at, id))[:${MAX_RETURN_IDS}] AS ids
       FROM (
         SELECT id, floor(extract(epoch FROM occurred_at) * 1000) AS at, agent_id, is_spoofed,
           ${CLIENT_ADDRESS} AS address,
           coalesce(agent_id::text, '-') || CASE WHEN is_spoofed THEN '!' ELSE '' END AS identity
         FROM (
           SELECT id, project_id, occurred_at, agent_id, result = 'verification_failed' AS is_spoofed, document, form
           FROM visits
           UNION ALL
           SELECT id, project_id, occurred_at, NULL, false, document, form FROM unknown_visits
         ) v
         WHERE project_id = $1 AND occurred_at >= ${timestamp('$2')} AND occurred_at <= ${timestamp('$3')} + interval '1 ms'
           AND id >= $4::uuid
       ) visit
       CROSS JOIN LATERAL (VALUES (address), (${NETWORK})) AS origins (origin)
       JOIN unnest($5::text[], $6::text[], $7::float8[], $8::float8[]) WITH ORDINALITY
         AS windows (own_identity, origin, start, "end", number) USING (origin)
       WHERE at > start AND at <= "end" AND identity <> own_identity
       GROUP BY number, agent_id, is_spoofed ORDER BY number, visits DESC, agent_id`,
      [
        projectId,
        start,
        end,
        getFirstIdAt(start),
        windows.map(({ identity }) => identity),
        windows.map(getWindowOrigin),
        windows.map((window) => window.start),
        windows.map((window) => window.end),
      ],
    );
  }
}
