import type { LimitFile } from '#libs/contracts';
import type { LimitParts } from './limit-parts.js';

const FRONTEND = `# Agents that can't read /robots.txt may assume that everything is allowed, and search engines crawl less.
acl agent_traffic_exempt path -m reg '^/(robots\\.txt$|\\.well-known/(?!.*(\\.\\.|%|\\\\)))'
http-request set-var(txn.agent_traffic) req.fhdr(User-Agent),map_reg(/etc/haproxy/agent-traffic-agents.map) unless agent_traffic_exempt
http-request set-var(txn.agent_traffic_ranges) src,map_ip(/etc/haproxy/agent-traffic-ranges.map,/) if { var(txn.agent_traffic) -m found }
# Verified visitors have their own allowance.
http-request set-var(txn.agent_traffic_list) var(txn.agent_traffic),field(3,/),concat(:,txn.agent_traffic_ranges) if { var(txn.agent_traffic) -m found }
acl agent_traffic_verified var(txn.agent_traffic_list) -m reg '^(?<list>[0-9]+):[0-9/]*/\\k<list>/'
http-request set-var(txn.agent_traffic_limit) var(txn.agent_traffic),field(1,/) if agent_traffic_verified
http-request set-var(txn.agent_traffic_limit) var(txn.agent_traffic),field(2,/) unless agent_traffic_verified
http-request set-var(txn.agent_traffic_key) str(verified/),concat(,txn.agent_traffic) if agent_traffic_verified
http-request set-var(txn.agent_traffic_key) str(unverified/),concat(,txn.agent_traffic) unless agent_traffic_verified
acl agent_traffic_limited var(txn.agent_traffic_limit) -m int gt 0
http-request track-sc2 var(txn.agent_traffic_key) table agent_traffic if agent_traffic_limited
http-request return status 429 content-type "text/plain; charset=utf-8" hdr Retry-After 60 hdr Cache-Control no-store string "This agent has sent too many requests. Try again in 60 s.\\n" if agent_traffic_limited { sc2_gpc0_rate,sub(txn.agent_traffic_limit) ge 0 }
# Rejected requests don't count.
http-request sc-inc-gpc0(2) if agent_traffic_limited
`;

const BACKEND = `backend agent_traffic
    stick-table type string len 256 size 10k expire 2m store gpc0,gpc0_rate(1m)
`;

/** Returns map files for HAProxy, and the lines that use them, which stay the same. */
export const haproxyLimits = (parts: LimitParts): LimitFile[] => [
  {
    name: 'agent-traffic-agents.map',
    purpose: 'Put it in /etc/haproxy',
    text:
      `${parts.summary}# Values: limit for verified visitors, limit for others, list of ranges, agent.\n` +
      parts.userAgents(
        'pcre',
        '',
        ({ expression, target }) => `(?i)${expression.replaceAll(' ', '\\x20')} ${target ?? '0/0/0/-'}\n`,
      ) +
      parts.exceptions,
  },
  {
    name: 'agent-traffic-ranges.map',
    purpose: 'Put it in /etc/haproxy',
    text: parts.rangesSummary + parts.ranges.map(({ range, lists }) => `${range} /${lists.join('/')}/\n`).join(''),
  },
  { name: 'agent-traffic-backend.cfg', purpose: 'Add its lines to haproxy.cfg', text: BACKEND },
  { name: 'agent-traffic-frontend.cfg', purpose: 'Add its lines to each frontend in haproxy.cfg', text: FRONTEND },
];
