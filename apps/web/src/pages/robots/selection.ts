import type { RuleFormat, RulesSelection } from '../../api/rules-queries.js';
import type { AgentBehavior } from '#libs/agents/vocabulary';
import { AGENT_BEHAVIORS } from '../../api/constants.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { command } from '../../ui/command.js';
import { quoteForShell } from '../../format/quote-for-shell.js';

export const FORMATS: Record<RuleFormat, { label: string; file: string; mediaType: string }> = {
  blocks: { label: 'robots.txt, one group per agent', file: 'robots.txt', mediaType: 'text/plain' },
  grouped: { label: 'robots.txt, one group for all', file: 'robots.txt', mediaType: 'text/plain' },
  'nginx-map': { label: 'nginx', file: 'agent-traffic.conf', mediaType: 'text/plain' },
  apache: { label: 'Apache', file: 'agent-traffic.conf', mediaType: 'text/plain' },
  caddy: { label: 'Caddy', file: 'agent-traffic.caddy', mediaType: 'text/plain' },
  haproxy: { label: 'HAProxy', file: 'agent-traffic.map', mediaType: 'text/plain' },
  json: { label: 'User-Agent tokens as JSON', file: 'agents.json', mediaType: 'application/json' },
  text: { label: 'User-Agent tokens, one per line', file: 'agents.txt', mediaType: 'text/plain' },
};

export const isRobotsTxt = (format: RuleFormat): boolean => format === 'blocks' || format === 'grouped';

export interface RobotsSearch {
  /** Without `type`, `behavior` and `format`, the page shows the saved or default selection. */
  type?: string[];
  behavior?: AgentBehavior[];
  not_agent?: string[];
  not_operator?: string[];
  path?: string;
  format?: RuleFormat;
  /** Usage preferences for the site's content. */
  content_signal?: NonNullable<RulesSelection['content_signal']>;
  content_usage?: NonNullable<RulesSelection['content_usage']>;
  /** Unvalidated license URL. See {@link isLicense}. */
  license?: string;
  /** User-Agent or robots.txt token for the path tester. */
  as?: string;
  at?: string;
}

export interface SelectionFormProps {
  selection: RulesSelection;
  onChange: (change: Partial<RobotsSearch>) => void;
}

export const DEFAULT_SELECTION: RulesSelection = { agent_types: ['AI Data Scraper'], format: 'blocks' };

const toStrings = (value: unknown): string[] | undefined =>
  Array.isArray(value)
    ? value.filter((item) => typeof item === 'string' || typeof item === 'number').map(String)
    : undefined;

/** Supported signals, in display order. */
export const SIGNALS = {
  content_signal: ['search', 'ai_input', 'ai_train'],
  content_usage: ['train_ai', 'search'],
} as const;

/**
 * Returns true if the text is an absolute http(s) URL without `#`, which would start a comment in a `License` line.
 */
export const isLicense = (text: string): boolean => /^https?:\/\/[!"$-~]+$/i.test(text) && URL.canParse(text);

/** Returns the valid signals, or undefined if there are none. */
function parseSignals(value: unknown, names: readonly string[]): Record<string, boolean> | undefined {
  const entries = names.flatMap((name) => {
    const isAllowed: unknown = Object(value)[name];
    return typeof isAllowed === 'boolean' ? [[name, isAllowed] as const] : [];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Parses the URL search parameters and ignores invalid ones. */
export function parseRobotsSearch(search: Record<string, unknown>): RobotsSearch {
  const { format, path, as, at, license } = search;
  const types = toStrings(search['type'])?.filter((type) => AGENT_TYPES.includes(type));
  const behaviors = AGENT_BEHAVIORS.filter((item) => toStrings(search['behavior'])?.includes(item));
  const notAgents = toStrings(search['not_agent']);
  const notOperators = toStrings(search['not_operator']);
  const signal = parseSignals(search['content_signal'], SIGNALS.content_signal);
  const usage = parseSignals(search['content_usage'], SIGNALS.content_usage);
  return {
    ...(types && { type: types }),
    ...(behaviors.length > 0 && { behavior: behaviors }),
    ...(notAgents?.length && { not_agent: notAgents }),
    ...(notOperators?.length && { not_operator: notOperators }),
    ...(typeof path === 'string' && { path }),
    ...(typeof format === 'string' && Object.hasOwn(FORMATS, format) && { format: format as RuleFormat }),
    ...(signal && { content_signal: signal }),
    ...(usage && { content_usage: usage }),
    ...(typeof license === 'string' && license !== '' && { license }),
    ...((typeof as === 'string' || typeof as === 'number') && { as: String(as) }),
    ...(typeof at === 'string' && { at }),
  };
}

/** Returns true if the URL contains a selection. Otherwise, the page shows the saved selection. */
export const hasSelection = ({ type, behavior, format }: RobotsSearch): boolean =>
  type !== undefined || behavior !== undefined || format !== undefined;

export const hasAgents = ({ agent_types: types, agent_behaviors: behaviors = [] }: RulesSelection): boolean =>
  types.length + behaviors.length > 0;

export function toSelection(search: RobotsSearch): RulesSelection {
  const {
    type,
    behavior,
    not_agent,
    not_operator,
    path,
    format = 'blocks',
    content_signal,
    content_usage,
    license,
  } = search;
  return {
    agent_types: (type ?? []) as RulesSelection['agent_types'],
    ...(behavior?.length && { agent_behaviors: behavior }),
    ...(not_agent?.length && { excluded_agent_tokens: not_agent }),
    ...(not_operator?.length && { excluded_operator_names: not_operator }),
    ...(path !== undefined && path !== '/' && isRobotsTxt(format) && { disallow: path }),
    format,
    ...(isRobotsTxt(format) && {
      ...(content_signal && { content_signal }),
      ...(content_usage && { content_usage }),
      ...(license !== undefined && isLicense(license) && { license }),
    }),
  };
}

export const toSearch = (selection: RulesSelection): RobotsSearch => ({
  type: selection.agent_types,
  behavior: selection.agent_behaviors,
  not_agent: selection.excluded_agent_tokens,
  not_operator: selection.excluded_operator_names,
  path: selection.disallow,
  format: selection.format,
  content_signal: selection.content_signal,
  content_usage: selection.content_usage,
  license: selection.license,
});

/** Returns the CLI command that renders the selection. */
export function commandLine(selection: RulesSelection, projectId: string): string {
  const { agent_types: types, agent_behaviors: behaviors = [] } = selection;
  const { excluded_agent_tokens: agents = [], excluded_operator_names: operators = [] } = selection;
  const isAll = types.length === AGENT_TYPES.length;
  const words = [
    ...(isAll ? ['--all-types'] : types.flatMap((type) => ['--type', type])),
    ...behaviors.flatMap((behavior) => ['--behavior', behavior]),
    ...agents.flatMap((agent) => ['--exclude-agent', agent]),
    ...operators.flatMap((operator) => ['--exclude-operator', operator]),
    ...(selection.disallow === undefined ? [] : ['--disallow', selection.disallow]),
    ...signalArguments('--content-signal', selection.content_signal),
    ...signalArguments('--content-usage', selection.content_usage),
    ...(selection.license === undefined ? [] : ['--license', selection.license]),
    ...(selection.format === 'blocks' ? [] : ['--format', selection.format]),
    '--project',
    projectId,
  ];
  return command(['robots', 'render', ...words.map(toShellWord)].join(' '));
}

/** Formats a signal option. The command line uses dashes, so `ai_train` becomes `ai-train`. */
const signalArguments = (option: string, signals: Record<string, boolean> = {}): string[] => {
  const pairs = Object.entries(signals).map(
    ([name, isAllowed]) => `${name.replace('_', '-')}=${isAllowed ? 'yes' : 'no'}`,
  );
  return pairs.length === 0 ? [] : [option, pairs.join()];
};

const toShellWord = (text: string): string => (/^[\w./-][\w.,:=/-]*$/.test(text) ? text : quoteForShell(text));
