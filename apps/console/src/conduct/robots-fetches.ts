import type { ConductVisit, RobotsRequest, TimeRange } from '#libs/visit-store';
import { toHost } from './to-host.js';

/** Time for which crawlers may use a cached robots.txt (RFC 9309, section 2.4). */
export const CACHE_MS = 24 * 3_600_000;
/** Tolerance for a crawler that fetches the file again when its copy expires. */
const EXPIRY_TOLERANCE_MS = 300_000;
/** Tolerance for requests for robots.txt that are recorded after the visit they preceded. */
const ORDER_TOLERANCE_MS = 2_000;
/** Time before a visit from which requests for robots.txt must be known. */
const FETCH_SEARCH_MS = CACHE_MS + EXPIRY_TOLERANCE_MS;
/** Longest time without a recorded request to a host for which the log is considered complete. */
const MAX_LOG_GAP_MS = 12 * 3_600_000;
/** Time before the first visit from which requests for robots.txt are needed. */
export const REQUESTS_BEFORE_MS = FETCH_SEARCH_MS + MAX_LOG_GAP_MS;

/** An agent's requests for robots.txt. */
export interface AgentFetches {
  /**
   * Returns whether the host's robots.txt was requested within 24 hours before one of the agent's visits, or null if that
   * is unknown.
   */
  precede: (host: string | null, at: number) => boolean | null;
  /**
   * Returns false if all responses to requests for the host's robots.txt in a range were errors or challenges, for example
   * from a firewall.
   */
  mayHaveSucceeded: (host: string | null, range: TimeRange) => boolean;
}

/** Requests for robots.txt by all agents. */
export class RobotsFetches {
  private readonly byHost: ReadonlyMap<string | null, readonly RobotsRequest[]>;

  /**
   * @param requests Oldest first.
   * @param since Time from which all stored requests are included, in milliseconds since the epoch.
   */
  constructor(
    requests: readonly RobotsRequest[],
    private readonly since: number,
  ) {
    this.byHost = Map.groupBy(requests, ({ request_headers: headers }) => toHost(headers));
  }

  /**
   * Returns an agent's requests. Those by its operator's other agents count, too, because some crawlers share a copy.
   *
   * @param visits The agent's visits.
   */
  by(agentId: string, operator: string | null, visits: readonly ConductVisit[]): AgentFetches {
    const visitsByHost = Map.groupBy(visits, ({ request_headers: headers }) => toHost(headers));
    const hosts = new Map(
      [...this.byHost].map(([host, all]) => {
        const requests = all.filter(
          ({ agent_id: id, operator: by }) => id === agentId || (operator !== null && by === operator),
        );
        const logged = [...all, ...(visitsByHost.get(host) ?? [])].map(toTime).toSorted((one, other) => one - other);
        return [host, { requests, times: requests.map(toTime), logStarts: findStarts(logged) }];
      }),
    );
    return {
      precede: (host, at) => {
        const { times = [], logStarts = [] } = hosts.get(host) ?? {};
        const last = findLastBefore(times, at + ORDER_TOLERANCE_MS);
        if (last !== null && last >= at - FETCH_SEARCH_MS) return true;
        const logStart = findLastBefore(logStarts, at) ?? Infinity;
        // A CDN may answer the requests of agents that never seem to send any.
        const isKnown = times.length > 0 && at - FETCH_SEARCH_MS >= Math.max(logStart, this.since);
        return isKnown ? false : null;
      },
      mayHaveSucceeded: (host, { from, to }) => {
        const requests = (hosts.get(host)?.requests ?? []).filter(
          ({ occurred_at: at, status }) => at >= from && at < to && status !== null,
        );
        if (requests.length === 0) return from >= this.since;
        const ownRequests = requests.filter(({ agent_id: id }) => id === agentId);
        return (ownRequests.length > 0 ? ownRequests : requests).some(isReadable);
      },
    };
  }
}

const toTime = ({ occurred_at: at }: { occurred_at: number }): number => at;

/** Returns the first time, and each time after a gap in the log. */
const findStarts = (times: readonly number[]): number[] =>
  times.filter((time, index) => index === 0 || time - times[index - 1]! > MAX_LOG_GAP_MS);

/** Returns whether the response was a file, "not modified" or a redirect. Firewalls respond with 202 to challenge clients. */
const isReadable = ({ status }: RobotsRequest): boolean =>
  status !== null && status >= 200 && status < 400 && status !== 202;

/** Returns the last of the sorted times that is at or before a time. */
function findLastBefore(times: readonly number[], at: number): number | null {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return times[low - 1] ?? null;
}
