import {
  AGENT_BEHAVIOR_NAMES,
  MAX_LISTED_ADDRESSES,
  MAX_LISTED_FETCHES,
  STATEMENT_KEYS_PATH,
  type AgentBehavior,
} from '#libs/contracts';
import type { Identity, StatementScope } from './statement.js';

export const IDENTITY_LABELS: Record<Identity, string> = {
  verified: 'Verified',
  claimed: 'Claimed',
  spoofed: 'Failed verification',
};

export const VERDICT_LABELS = {
  allowed: 'Allowed by robots.txt',
  disallowed: 'Disallowed by robots.txt',
  no_rules: 'No robots.txt (4xx)',
  unreachable: 'robots.txt failed with an error (5xx)',
  unknown: 'robots.txt not known',
  none: 'Not judged',
} as const;

const PURPOSE_NAMES: Record<AgentBehavior, string> = AGENT_BEHAVIOR_NAMES;

/** Returns the names of purposes, in the order of the catalog's list. */
export const listPurposes = (behaviors: readonly string[]): string[] =>
  (Object.keys(PURPOSE_NAMES) as AgentBehavior[])
    .filter((behavior) => behaviors.includes(behavior))
    .map((behavior) => PURPOSE_NAMES[behavior]);

export const getTitle = ({ operator }: StatementScope): string => `Statement of fetches by ${operator}`;

export const getKeysUrl = ({ instance }: StatementScope): string => instance + STATEMENT_KEYS_PATH;

interface Definition {
  term: string;
  text: string;
}

/** Definitions of all terms in a statement. */
export const DEFINITIONS: readonly Definition[] = [
  {
    term: 'Fetch',
    text: 'An HTTP request to the site, as reported by the site, its server, or its CDN, whose User-Agent header or signature names an agent of the operator. Each fetch is counted once, on the UTC day on which it occurred.',
  },
  {
    term: 'Verified',
    text: "The request came from one of the operator's published IP addresses or host names, or has a valid signature by the operator.",
  },
  {
    term: 'Claimed',
    text: 'The request names an agent of the operator, but this could be neither confirmed nor refuted. For example, the operator publishes no IP addresses for the agent.',
  },
  {
    term: 'Failed verification',
    text: 'The request names an agent of the operator, but its address or signature failed verification. It was probably sent by someone else, unless its signature had only expired. These fetches are listed so that they can be told from the others.',
  },
  {
    term: 'Purpose',
    text: 'How the operator uses what the agent fetches, according to the agent catalog when the statement was created. An agent with several purposes is listed under all of them together.',
  },
  { term: 'Agent type', text: "The agent's type in the catalog when the fetch was received or last identified again." },
  {
    term: 'Bytes',
    text: 'Sum of the response sizes that were reported. Depending on the source of the data, the size of a response includes its headers or only its body. "Not reported" means that no size is known. It doesn\'t mean zero.',
  },
  { term: 'Distinct paths', text: 'Number of different request paths, without the query string.' },
  {
    term: 'robots.txt version',
    text: "The content of a host's robots.txt from the time it was first fetched or recorded until it was replaced, identified by the SHA-256 hash of up to 500 KiB. The file is fetched regularly, so a change can be noticed some hours late. A recorded version was entered by a person rather than fetched.",
  },
  {
    term: 'License',
    text: 'License lines in robots.txt (Really Simple Licensing, RSL 1.0). Content-Signal and Content-Usage lines are listed as preferences.',
  },
  {
    term: 'Disallowed',
    text: 'A rule of the robots.txt version in force at the time of the fetch disallows the path for the agent, according to RFC 9309. Each fetch is judged when it is received, so later versions of robots.txt have no effect.',
  },
  {
    term: 'On behalf of a user',
    text: 'Fetches by agents of the types AI Agent, AI Assistant, AI Coding Agent and Fetcher, which fetch pages when a person asks for them. According to many operators, robots.txt does not apply to these fetches.',
  },
];

/** Shell commands that compute the numbers from the response of a request, with jq. */
export const COMPUTATIONS: readonly Definition[] = [
  { term: 'Fetches', text: 'wc -l' },
  { term: 'Bytes', text: `jq -s 'map(.visit.response_size_in_bytes // empty) | add'` },
  { term: 'Distinct paths', text: `jq -r '.visit.request_path | split("?")[0]' | sort -u | wc -l` },
  {
    term: 'Disallowed by line',
    text: `jq -r 'select(.robots.verdict == "disallowed") | "\\(.robots.version) \\(.robots.line)"' | sort | uniq -c`,
  },
  { term: 'Addresses', text: 'jq -r .client_address | sort | uniq -c' },
];

/** Limits of the lists. */
export const LIMITS = { disallowed_fetches: MAX_LISTED_FETCHES, addresses: MAX_LISTED_ADDRESSES };
