import { InvalidArgumentError, Option, type Command } from 'commander';
import { AGENT_BEHAVIORS, AGENT_TYPES, RENAMED_AGENT_TYPES, type AgentBehavior, type AgentType } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import { collect, projectOption } from '../options.js';

/** Command-line options that select agents. */
export interface SelectionOptions {
  type?: AgentType[];
  allTypes?: boolean;
  behavior?: AgentBehavior[];
  excludeAgent?: string[];
  excludeOperator?: string[];
  disallow?: string;
  project?: string;
}

/** Selection in the format of the API. */
export interface Selection {
  agent_types: AgentType[];
  agent_behaviors?: AgentBehavior[];
  excluded_agent_tokens?: string[];
  excluded_operator_names?: string[];
  disallow?: string;
}

export const behaviorOption = (description: string): Option =>
  new Option('--behavior <name...>', description).choices(AGENT_BEHAVIORS);

export const allowPrivateOption = (): Option =>
  new Option('--allow-private', 'also fetch from private networks and from any port');

/** Adds options for the agents and for the path that they aren't allowed to fetch. */
export function withSelection(command: Command): Command {
  return command
    .addOption(new Option('--type <name>', 'agents of this type, in any case; repeatable').argParser(collectType))
    .addOption(new Option('--all-types', 'agents of all types').conflicts('type'))
    .addOption(behaviorOption('also agents with these behaviors'))
    .option('--exclude-agent <token>', 'exclude this agent; repeatable', collect)
    .option('--exclude-operator <name>', 'exclude agents of this operator; repeatable', collect)
    .option(
      '--disallow <path>',
      'the path that they may not fetch, in robots.txt; an empty path allows everything (default: "/")',
    )
    .addOption(projectOption('the project whose token is used'));
}

/** @throws CliError with exit code 2 if no agents are selected. */
export function selectionOf({
  type,
  allTypes,
  behavior,
  excludeAgent,
  excludeOperator,
  disallow,
}: SelectionOptions): Selection {
  const types = allTypes ? [...AGENT_TYPES] : (type ?? (behavior && []));
  if (types === undefined) {
    throw new CliError('No agents were chosen. Use --type NAME, once or more, --behavior NAME, or --all-types.', {
      exitCode: EXIT.usage,
      hint: `Types: ${AGENT_TYPES.join(', ')}`,
    });
  }
  return {
    agent_types: [...new Set(types)],
    ...(behavior && { agent_behaviors: [...new Set(behavior)] }),
    ...(excludeAgent && { excluded_agent_tokens: excludeAgent }),
    ...(excludeOperator && { excluded_operator_names: excludeOperator }),
    ...(disallow !== undefined && { disallow }),
  };
}

const CURRENT_NAMES = new Map<string, AgentType>([
  ...AGENT_TYPES.map((type) => [type.toLowerCase(), type] as const),
  ...Object.entries(RENAMED_AGENT_TYPES).map(([old, type]) => [old.toLowerCase(), type] as const),
]);

function collectType(value: string, all: AgentType[] = []): AgentType[] {
  const type = CURRENT_NAMES.get(value.trim().toLowerCase());
  if (type === undefined) throw new InvalidArgumentError(`Allowed choices are ${AGENT_TYPES.join(', ')}.`);
  return [...all, type];
}
