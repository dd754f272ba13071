import type { LimitFile } from '#libs/contracts';
import { distinctLimits, type AgentLimit } from './agent-limits.js';
import type { LimitParts } from './limit-parts.js';

/**
 * Returns configuration for Caddy with the module github.com/mholt/caddy-ratelimit. It counts the requests of the last
 * minute.
 */
export function caddyLimits(limits: readonly AgentLimit[], parts: LimitParts): LimitFile[] {
  const userAgents = parts.userAgents(
    're2',
    '\t',
    ({ expression, target }) => `\t"~(?i)${expression}" "${target ?? ''}"\n`,
  );
  const zones = [
    ...distinctLimits(limits.map(({ verified }) => verified)).map((limit) =>
      zone('verified', limit, `vars_regexp agent_traffic ^${limit}/\n\t\t\tvars agent_traffic_verified 1`),
    ),
    ...distinctLimits(limits.map(({ unverified }) => unverified)).map((limit) =>
      zone('unverified', limit, `vars_regexp agent_traffic ^[0-9]+/${limit}/\n\t\t\tnot vars agent_traffic_verified 1`),
    ),
  ];
  return [
    {
      name: 'agent-traffic-limits.caddy',
      purpose: 'Import it in each site block. Requires the module github.com/mholt/caddy-ratelimit',
      text: `${parts.summary}${parts.rangesSummary}
# Values: limit for verified visitors, limit for others, list of ranges, agent.
map {header.User-Agent} {agent_traffic_agent} {
	default ""
${userAgents}}

# Search engines crawl less if they can't read robots.txt.
@agent_traffic_limited not path /robots.txt /.well-known/*
vars @agent_traffic_limited agent_traffic {agent_traffic_agent}
${groupByList(parts.ranges).map(verifyByList).join('')}${zones.length === 0 ? '' : `\nrate_limit {\n${zones.join('')}}\n`}${parts.exceptions}`,
    },
  ];
}

/** Verified visitors have their own allowance. */
const zone = (name: string, limit: number, matchers: string): string => `\tzone agent_traffic_${name}_${limit} {
		match {
			${matchers}
		}
		key {vars.agent_traffic}
		window 1m
		events ${limit}
	}
`;

/** Returns the ranges of each list, in the order of the lists' numbers. */
function groupByList(ranges: LimitParts['ranges']): [list: number, ranges: string[]][] {
  const entries = ranges.flatMap(({ range, lists }) => lists.map((list) => ({ list, range })));
  const byList = Map.groupBy(entries, ({ list }) => list);
  return [...byList]
    .map(([list, group]): [number, string[]] => [list, group.map(({ range }) => range)])
    .toSorted(([one], [other]) => one - other);
}

const verifyByList = ([list, ranges]: [number, string[]]): string => `
@agent_traffic_list_${list} {
	vars_regexp agent_traffic ^[0-9]+/[0-9]+/${list}/
	client_ip ${ranges.join(' ')}
}
vars @agent_traffic_list_${list} agent_traffic_verified 1
`;
