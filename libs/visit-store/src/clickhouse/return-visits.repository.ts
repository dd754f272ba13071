import { Injectable } from '@nestjs/common';
import type { PublicOf } from '../public-of.js';
import {
  getWindowOrigin,
  MAX_RETURN_IDS,
  type ReturnVisits,
  type ReturnVisitsRepository,
  type ReturnWindow,
} from '../return-visits.repository.js';
import type { Snapshot } from '../snapshot.js';
import { ClickHouse } from './clickhouse.js';
import { toReceiptDay } from './receipt-day.js';

const IS_IPV4 = 'isIPv4String(client_address)';
const NETWORK = `if(${IS_IPV4},
  concat(toString(tupleElement(IPv4CIDRToRange(toIPv4OrDefault(client_address), 24), 1)), '/24'),
  concat(toString(tupleElement(IPv6CIDRToRange(toIPv6OrDefault(client_address), 48), 1)), '/48'))`;

@Injectable()
export class ClickHouseReturnVisitsRepository implements PublicOf<ReturnVisitsRepository> {
  constructor(private readonly clickhouse: ClickHouse) {}

  async find({ timeoutMs }: Snapshot, projectId: string, windows: readonly ReturnWindow[]): Promise<ReturnVisits[]> {
    const start = Math.min(...windows.map((window) => window.start));
    const end = Math.max(...windows.map((window) => window.end));
    const rows = await this.clickhouse.query<Omit<ReturnVisits, 'is_spoofed'> & { is_spoofed: number }>(
      `SELECT number, agent_id, is_spoofed, count() AS visits, min(occurred_at) AS first_at,
         arrayMap(v -> v.3, arraySlice(arraySort(groupArray((occurred_at, UUIDToNum(id), id))), 1, ${MAX_RETURN_IDS})) AS ids
       FROM (
         SELECT id, occurred_at, agent_id, result = 'verification_failed' AS is_spoofed,
           arrayJoin([assumeNotNull(client_address), ${NETWORK}]) AS origin,
           concat(ifNull(toString(agent_id), '-'), if(is_spoofed, '!', '')) AS identity
         FROM ${this.clickhouse.visits}
         WHERE project_id = {project:UUID} AND occurred_at >= {start:Int64} AND occurred_at <= {end:Int64}
           AND day >= {receivedFrom:Date} AND client_address IS NOT NULL
       ) AS visit
       JOIN (
         SELECT toUInt32(number) AS number, identities[number] AS own_identity, origins[number] AS origin,
           starts[number] AS start, ends[number] AS end
         FROM (
           SELECT {identities:Array(String)} AS identities, {origins:Array(String)} AS origins,
             {starts:Array(Int64)} AS starts, {ends:Array(Int64)} AS ends
         ) ARRAY JOIN arrayEnumerate(origins) AS number
       ) AS refused ON visit.origin = refused.origin
       WHERE occurred_at > refused.start AND occurred_at <= refused.end AND identity <> own_identity
       GROUP BY number, agent_id, is_spoofed ORDER BY number, visits DESC, toString(agent_id)`,
      {
        project: projectId,
        start,
        end,
        receivedFrom: toReceiptDay(start),
        identities: windows.map(({ identity }) => identity),
        origins: windows.map(getWindowOrigin),
        starts: windows.map((window) => window.start),
        ends: windows.map((window) => window.end),
      },
      { timeoutMs },
    );
    return rows.map(({ number, is_spoofed, ...row }) => ({ ...row, number, is_spoofed: is_spoofed === 1 }));
  }
}
