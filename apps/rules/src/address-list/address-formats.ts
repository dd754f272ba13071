import type { AddressListFormat } from '#libs/contracts';
import { JSON_TYPE } from '../user-agent-token-list.js';

/** Merged address ranges in canonical form, sorted by address. */
export interface AddressList {
  /** Number of ranges, last change and digest, one line each. */
  summary: readonly string[];
  /** Summary and agents as lines that start with `#`. */
  comments: string;
  ipv4: readonly string[];
  ipv6: readonly string[];
}

interface AddressFormat {
  /** Default: plain text. */
  mediaType?: string;
  render: (list: AddressList) => string;
}

/** AWS WAF accepts up to this many ranges per IP set. */
const MAX_AWS_RANGES = 10_000;

/** Formats of address lists. Lines end in LF. */
export const ADDRESS_FORMATS: Record<AddressListFormat, AddressFormat> = {
  'nginx-geo': {
    render: ({ comments, ipv4, ipv6 }) =>
      `${comments}# Include it in the http block. $listed_agent is 1 for these addresses.\n` +
      `geo $listed_agent {\n    default 0;\n${lines([...ipv4, ...ipv6], '    ', ' 1;')}}\n`,
  },
  'haproxy-addresses': {
    render: ({ comments, ipv4, ipv6 }) =>
      `${comments}# Example: acl listed_agent src -f /etc/haproxy/agents.lst\n${lines([...ipv4, ...ipv6])}`,
  },
  nftables: {
    render: ({ comments, ipv4, ipv6 }) =>
      `${comments}# Load it with "nft -f". Loading replaces the ranges. Example: ip saddr @listed_agents_ipv4 accept\n` +
      `table inet agent_traffic {\n${nftablesSet('ipv4')}${nftablesSet('ipv6')}}\n` +
      nftablesElements('ipv4', ipv4) +
      nftablesElements('ipv6', ipv6),
  },
  'aws-ip-sets': {
    mediaType: JSON_TYPE,
    render: ({ summary, ipv4, ipv6 }) =>
      `${JSON.stringify([...awsIpSets('IPV4', ipv4, summary), ...awsIpSets('IPV6', ipv6, summary)], null, 2)}\n`,
  },
  crowdsec: {
    render: ({ comments, ipv4, ipv6 }) =>
      `${comments}# Copy it to /etc/crowdsec/parsers/s02-enrich/ and reload CrowdSec.\n` +
      'name: agent-traffic/listed-agents\ndescription: Address ranges published by the operators of agents\n' +
      `whitelist:\n  reason: address of a listed agent\n  ip: []\n${yamlList('cidr', [...ipv4, ...ipv6], '  ')}`,
  },
  anubis: {
    render: ({ comments, ipv4, ipv6 }) =>
      `${comments}# Add "- import: /path/to/this/file.yaml" to the bots of your policy.\n` +
      (ipv4.length + ipv6.length === 0
        ? '[]\n'
        : `- name: agent-traffic-listed-agents\n  action: ALLOW\n${yamlList('remote_addresses', [...ipv4, ...ipv6], '  ')}`),
  },
};

const lines = (ranges: readonly string[], before = '', after = ''): string =>
  ranges.map((range) => `${before}${range}${after}\n`).join('');

type Family = 'ipv4' | 'ipv6';

const nftablesSet = (family: Family): string =>
  `    set listed_agents_${family} {\n        type ${family}_addr\n        flags interval\n    }\n`;

/** Empties the set first, because new ranges can overlap with those of a previous version. */
function nftablesElements(family: Family, ranges: readonly string[]): string {
  const set = `inet agent_traffic listed_agents_${family}`;
  const added = ranges.length === 0 ? '' : `add element ${set} {\n${lines(ranges, '    ', ',')}}\n`;
  return `flush set ${set}\n${added}`;
}

/** Returns inputs for `aws wafv2 create-ip-set --cli-input-json`. */
function awsIpSets(version: 'IPV4' | 'IPV6', ranges: readonly string[], summary: readonly string[]): object[] {
  const sets = Array.from({ length: Math.ceil(ranges.length / MAX_AWS_RANGES) }, (_, index) =>
    ranges.slice(index * MAX_AWS_RANGES, (index + 1) * MAX_AWS_RANGES),
  );
  return sets.map((addresses, index) => ({
    Name: `agent-traffic-${version.toLowerCase()}${sets.length > 1 ? `-${index + 1}` : ''}`,
    Scope: 'REGIONAL',
    Description: summary.slice(1).join(', '),
    IPAddressVersion: version,
    Addresses: addresses,
  }));
}

const yamlList = (key: string, ranges: readonly string[], indentation: string): string =>
  ranges.length === 0
    ? `${indentation}${key}: []\n`
    : `${indentation}${key}:\n${lines(
        ranges.map((range) => `"${range}"`),
        `${indentation}  - `,
      )}`;
