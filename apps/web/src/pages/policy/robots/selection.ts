import type { RulesSelection } from '../../../api/rules-queries.js';
import { AGENT_TYPES } from '../../../ui/agent-types.js';
import { command } from '../../../ui/command.js';
import { quoteForShell } from '../../../format/quote-for-shell.js';
import { readControl, type SitePolicy } from '../../../rules/controls.js';
import { isRobotsTxt } from '../../../rules/robots-format.js';
import type { RobotsSearch } from './search.js';
import { readUsage } from './site-state.js';

export interface SelectionFormProps {
  selection: RulesSelection;
  onChange: (change: Partial<RobotsSearch>) => void;
}

/**
 * Returns true if the text is an absolute http(s) URL without `#`, which would start a comment in a `License` line.
 */
export const isLicense = (text: string): boolean => /^https?:\/\/[!"$-~]+$/i.test(text) && URL.canParse(text);

/**
 * Returns a first selection: the types that the site's robots.txt keeps out or live rules block, and the preferences and
 * license that the site serves.
 *
 * @param keptOut Types that robots.txt keeps out.
 * @param served Content of robots.txt. Empty if the site serves none.
 */
export function deriveSelection(
  rules: SitePolicy['rules'],
  keptOut: readonly string[],
  served: string,
): RulesSelection {
  const policy: SitePolicy = { rules, selection: { agent_types: [], format: 'blocks' } };
  const types = (AGENT_TYPES as RulesSelection['agent_types']).filter((type) => {
    const { kind, mode } = readControl(policy, type);
    return keptOut.includes(type) || (kind === 'refuse' && mode === 'live');
  });
  return toSelection({ type: types, ...readUsage(served) });
}

/** Returns true if the URL contains a selection. Otherwise, the page shows the saved selection. */
export const hasSelection = ({ type, behavior, agent, format }: RobotsSearch): boolean =>
  type !== undefined || behavior !== undefined || agent !== undefined || format !== undefined;

export const hasAgents = ({
  agent_types: types,
  agent_behaviors: behaviors = [],
  agent_tokens: tokens = [],
}: RulesSelection): boolean => types.length + behaviors.length + tokens.length > 0;

export function toSelection(search: RobotsSearch): RulesSelection {
  const {
    type,
    behavior,
    agent,
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
    ...(agent?.length && { agent_tokens: agent }),
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
  agent: selection.agent_tokens,
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
  const { agent_types: types, agent_behaviors: behaviors = [], agent_tokens: tokens = [] } = selection;
  const { excluded_agent_tokens: agents = [], excluded_operator_names: operators = [] } = selection;
  const isAll = types.length === AGENT_TYPES.length;
  const words = [
    ...(isAll ? ['--all-types'] : types.flatMap((type) => ['--type', type])),
    ...behaviors.flatMap((behavior) => ['--behavior', behavior]),
    ...tokens.flatMap((token) => ['--agent', token]),
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
const signalArguments = (option: string, signals: Record<string, boolean | string> = {}): string[] => {
  const pairs = Object.entries(signals).map(
    ([name, isAllowed]) =>
      `${name.replace('_', '-')}=${typeof isAllowed === 'string' ? isAllowed : isAllowed ? 'yes' : 'no'}`,
  );
  return pairs.length === 0 ? [] : [option, pairs.join()];
};

const toShellWord = (text: string): string => (/^[\w./-][\w.,:=/-]*$/.test(text) ? text : quoteForShell(text));
