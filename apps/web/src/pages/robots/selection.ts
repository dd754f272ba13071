import type { RuleFormat, RulesSelection } from '../../api/rules-queries.js';
import type { AgentBehavior } from '#libs/agents/vocabulary';
import { AGENT_BEHAVIORS } from '../../api/constants.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { command } from '../../ui/command.js';
import { quoted } from '../../format/shell-word.js';

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

/** URL search parameters of the page. */
export interface RobotsSearch {
  /** Without `type`, `behavior` and `format`, the page shows the saved selection, or {@link FIRST_SELECTION}. */
  type?: string[];
  behavior?: AgentBehavior[];
  not_agent?: string[];
  not_operator?: string[];
  path?: string;
  format?: RuleFormat;
  /** Statements about the use of the site's content. */
  content_signal?: NonNullable<RulesSelection['content_signal']>;
  content_usage?: NonNullable<RulesSelection['content_usage']>;
  /** Not validated. See {@link isLicense}. */
  license?: string;
  /** Agent (User-Agent or token) and path for the path tester. */
  as?: string;
  at?: string;
}

export interface SelectionFormProps {
  selection: RulesSelection;
  onChange: (change: Partial<RobotsSearch>) => void;
}

export const FIRST_SELECTION: RulesSelection = { agent_types: ['AI Data Scraper'], format: 'blocks' };

const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value)
    ? value.filter((one) => typeof one === 'string' || typeof one === 'number').map(String)
    : undefined;

/** Possible statements, in the order of their controls. */
export const SIGNALS = {
  content_signal: ['search', 'ai_input', 'ai_train'],
  content_usage: ['train_ai', 'search'],
} as const;

/**
 * Returns true if a `License` line can contain the text: an absolute http(s) URL without `#`, which starts a comment.
 */
export const isLicense = (text: string): boolean => /^https?:\/\/[!"$-~]+$/i.test(text) && URL.canParse(text);

/** Returns the valid statements, or undefined if there are none. */
function statements(value: unknown, names: readonly string[]): Record<string, boolean> | undefined {
  const made = names.flatMap((name) => {
    const is: unknown = Object(value)[name];
    return typeof is === 'boolean' ? [[name, is] as const] : [];
  });
  return made.length === 0 ? undefined : Object.fromEntries(made);
}

/** Parses URL search parameters. Invalid ones are ignored. */
export function readRobotsSearch(search: Record<string, unknown>): RobotsSearch {
  const { format, path, as, at, license } = search;
  const types = texts(search['type'])?.filter((type) => AGENT_TYPES.includes(type));
  const behaviors = AGENT_BEHAVIORS.filter((one) => texts(search['behavior'])?.includes(one));
  const notAgents = texts(search['not_agent']);
  const notOperators = texts(search['not_operator']);
  const signal = statements(search['content_signal'], SIGNALS.content_signal);
  const usage = statements(search['content_usage'], SIGNALS.content_usage);
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

/** Returns true if the URL contains a selection. Otherwise, the page shows the saved one. */
export const isSelected = ({ type, behavior, format }: RobotsSearch): boolean =>
  type !== undefined || behavior !== undefined || format !== undefined;

export const hasAgents = ({ agent_types: types, agent_behaviors: behaviors = [] }: RulesSelection): boolean =>
  types.length + behaviors.length > 0;

export function selectionOf(search: RobotsSearch): RulesSelection {
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

export const searchOf = (selection: RulesSelection): RobotsSearch => ({
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

/** Returns the CLI command that renders a selection. */
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
    ...signalWords('--content-signal', selection.content_signal),
    ...signalWords('--content-usage', selection.content_usage),
    ...(selection.license === undefined ? [] : ['--license', selection.license]),
    ...(selection.format === 'blocks' ? [] : ['--format', selection.format]),
    '--project',
    projectId,
  ];
  return command(['robots', 'render', ...words.map(toWord)].join(' '));
}

/** The file and the command line use dashes: `ai_train` becomes `ai-train`. */
const signalWords = (option: string, stated: Record<string, boolean> = {}): string[] => {
  const said = Object.entries(stated).map(([name, is]) => `${name.replace('_', '-')}=${is ? 'yes' : 'no'}`);
  return said.length === 0 ? [] : [option, said.join()];
};

const toWord = (text: string): string => (/^[\w./-][\w.,:=/-]*$/.test(text) ? text : quoted(text));
