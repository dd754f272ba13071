import type { RuleFormat, RulesSelection } from '../../../api/rules-queries.js';
import type { AgentBehavior } from '#libs/agents/vocabulary';
import { AGENT_BEHAVIORS } from '../../../api/constants.js';
import { AGENT_TYPES } from '../../../ui/agent-types.js';

const FORMAT_NAMES: readonly unknown[] = [
  'blocks',
  'grouped',
  'nginx-map',
  'apache',
  'caddy',
  'haproxy',
  'json',
  'text',
] satisfies RuleFormat[];

export interface RobotsSearch {
  /** Without `type`, `behavior`, `agent` and `format`, the page shows the saved or default selection. */
  type?: string[];
  behavior?: AgentBehavior[];
  /** Tokens of single agents. */
  agent?: string[];
  not_agent?: string[];
  not_operator?: string[];
  path?: string;
  format?: RuleFormat;
  /** Usage preferences for the site's content. */
  content_signal?: NonNullable<RulesSelection['content_signal']>;
  content_usage?: NonNullable<RulesSelection['content_usage']>;
  /** Unvalidated license URL. */
  license?: string;
  /** User-Agent or robots.txt token for the path tester. */
  as?: string;
  at?: string;
  /** Host and robots.txt version whose permissions are compared. Default: the first host, and its newest version. */
  host?: string | undefined;
  version?: string | undefined;
  view?: RobotsView | undefined;
}

/** Tabs of the page. Default: `robots`. */
export type RobotsView = 'robots' | 'signals' | 'proxy';

/** Supported signals, in display order. */
export const SIGNALS = {
  content_signal: ['search', 'ai_input', 'ai_train'],
  content_usage: ['train_ai', 'ai_use', 'search'],
} as const;

/** Values of `use` in a Content-Signal line. */
export const SIGNAL_USES = ['immediate', 'reference', 'full'] as const;

const toStrings = (value: unknown): string[] | undefined =>
  Array.isArray(value)
    ? value.filter((item) => typeof item === 'string' || typeof item === 'number').map(String)
    : undefined;

/** Returns the valid signals, or undefined if there are none. */
function parseSignals(
  value: unknown,
  names: readonly string[],
  uses: readonly string[] = [],
): Record<string, boolean | string> | undefined {
  const { use }: { use?: unknown } = Object(value);
  const entries = [
    ...names.flatMap((name) => {
      const isAllowed: unknown = Object(value)[name];
      return typeof isAllowed === 'boolean' ? [[name, isAllowed] as const] : [];
    }),
    ...(typeof use === 'string' && uses.includes(use) ? [['use', use] as const] : []),
  ];
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Parses the URL search parameters and ignores invalid ones. */
export function parseRobotsSearch(search: Record<string, unknown>): RobotsSearch {
  const { format, path, as, at, license, host, version, view } = search;
  const types = toStrings(search['type'])?.filter((type) => AGENT_TYPES.includes(type));
  const behaviors = AGENT_BEHAVIORS.filter((item) => toStrings(search['behavior'])?.includes(item));
  const agents = toStrings(search['agent']);
  const notAgents = toStrings(search['not_agent']);
  const notOperators = toStrings(search['not_operator']);
  const signal = parseSignals(search['content_signal'], SIGNALS.content_signal, SIGNAL_USES);
  const usage = parseSignals(search['content_usage'], SIGNALS.content_usage);
  return {
    ...(types && { type: types }),
    ...(behaviors.length > 0 && { behavior: behaviors }),
    ...(agents?.length && { agent: agents }),
    ...(notAgents?.length && { not_agent: notAgents }),
    ...(notOperators?.length && { not_operator: notOperators }),
    ...(typeof path === 'string' && { path }),
    ...(FORMAT_NAMES.includes(format) && { format: format as RuleFormat }),
    ...(signal && { content_signal: signal }),
    ...(usage && { content_usage: usage }),
    ...(typeof license === 'string' && license !== '' && { license }),
    ...((typeof as === 'string' || typeof as === 'number') && { as: String(as) }),
    ...(typeof at === 'string' && { at }),
    ...(typeof host === 'string' && { host }),
    ...(typeof version === 'string' && { version }),
    ...((view === 'robots' || view === 'signals' || view === 'proxy') && { view }),
  };
}

/** Search parameters of the policy page. It passes an unsaved robots.txt selection on to the robots.txt page. */
interface PolicySearch extends Omit<RobotsSearch, 'view'> {
  /** Tab of the page. Default: the agents. */
  view?: PolicyView | undefined;
  /** Agents that a proof requests the site as. Default: agents that the policy restricts, and one that it doesn't. */
  prove?: string[] | undefined;
  /** Path that a proof requests. */
  page?: string | undefined;
  /** Address that simulated requests come from. Default: one from each network that a live rule names. */
  address?: string | undefined;
  /** Set by links to start a proof. Removed once it has started. */
  run?: true | undefined;
}

const POLICY_VIEWS = ['proof', 'lab', 'advanced'] as const;
export type PolicyView = (typeof POLICY_VIEWS)[number];

/** Parses the URL search parameters and ignores invalid ones. */
export function parsePolicySearch(search: Record<string, unknown>): PolicySearch {
  const { view: _, ...robotsSearch } = parseRobotsSearch(search);
  const view = POLICY_VIEWS.find((one) => one === search['view']);
  const prove = toStrings(search['prove']);
  const { page, run, address } = search;
  return {
    ...robotsSearch,
    ...(view && { view }),
    ...(prove?.length && { prove }),
    ...(typeof page === 'string' && { page }),
    ...(typeof address === 'string' && address !== '' && { address }),
    ...(run === true && { run }),
  };
}
