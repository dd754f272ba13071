import type { LimitFile } from '#libs/contracts';
import { distinctLimits, type AgentLimit } from './agent-limits.js';
import type { LimitParts } from './limit-parts.js';

/** Maximum time that nginx delays a request, in seconds. */
const MAX_DELAY_SECONDS = 5;

/**
 * Returns configuration for nginx. `limit_req` spaces an agent's requests evenly. It delays a few requests that arrive
 * at the same time, and rejects the others.
 */
export function nginxLimits(limits: readonly AgentLimit[], parts: LimitParts): LimitFile[] {
  const used = distinctLimits(limits.flatMap(({ verified, unverified }) => [verified, unverified]));
  const userAgents = parts.userAgents(
    'pcre',
    '    ',
    ({ expression, target }) => `    "~*${expression}" "${target ?? ''}";\n`,
  );
  const ranges = parts.ranges.map(({ range, lists }) => `    ${range} "/${lists.join('/')}/";\n`).join('');
  return [
    {
      name: 'agent-traffic-limits.conf',
      purpose: 'Include it in the http block',
      text: `${parts.summary}${parts.rangesSummary}
# Values: limit for verified visitors, limit for others, list of ranges, agent.
map $http_user_agent $agent_traffic_visitor {
    default "";
${userAgents}}

# The published ranges that an address is in. Behind another proxy, set real_ip_header and set_real_ip_from.
geo $agent_traffic_ranges {
    default "/";
${ranges}}

# Search engines crawl less if they can't read robots.txt.
map $uri $agent_traffic_limited {
    default $agent_traffic_visitor;
    /robots.txt "";
    "~^/\\.well-known/" "";
}

# Verified visitors have their own allowance.
map "$agent_traffic_limited $agent_traffic_ranges" $agent_traffic_limit {
    default "";
    "~^([0-9]+)/[0-9]+/([0-9]+)/([^ ]+) [0-9/]*/\\2/" "$1 verified $3";
    "~^[0-9]+/([0-9]+)/[0-9]+/([^ ]+) " "$1 unverified $2";
}

map $agent_traffic_limit $agent_traffic_wait {
    default "";
${used.map((limit) => `    "~^${limit} " ${toRetrySeconds(limit)};\n`).join('')}}
${used.map((limit) => zone(limit)).join('')}${parts.exceptions}`,
    },
    {
      name: 'agent-traffic-limits-server.conf',
      purpose: 'Include it in each server block',
      text: `# Locations with their own limit_req directives don't apply these limits.
${used.map((limit) => limitRequests(limit)).join('')}limit_req_status 429;
error_page 429 = @agent_traffic_slowed;
location @agent_traffic_slowed {
    default_type "text/plain; charset=utf-8";
    add_header Retry-After $agent_traffic_wait always;
    add_header Cache-Control no-store always;
    if ($agent_traffic_wait = "") { return 429; }
    return 429 "This agent has sent too many requests. Try again in $agent_traffic_wait s.\\n";
}
`,
    },
  ];
}

/** Seconds until an agent that sends more requests can send the next one. */
const toRetrySeconds = (requestsPerMinute: number): number => Math.ceil(60 / requestsPerMinute);

const zone = (limit: number): string => `
map $agent_traffic_limit $agent_traffic_limit_${limit} {
    default "";
    "~^${limit} " $agent_traffic_limit;
}
limit_req_zone $agent_traffic_limit_${limit} zone=agent_traffic_${limit}:1m rate=${limit}r/m;
`;

function limitRequests(limit: number): string {
  const burst = Math.floor((limit / 60) * MAX_DELAY_SECONDS);
  return `limit_req zone=agent_traffic_${limit}${burst === 0 ? '' : ` burst=${burst}`};\n`;
}
