import { InvalidArgumentError, Option, type Command } from 'commander';
import { AGENT_BEHAVIORS, AGENT_TYPES, RENAMED_AGENT_TYPES, type AgentBehavior, type AgentType } from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import { collect, projectOption } from '../options.js';

/** Command-line options for selecting agents. */
export interface SelectionOptions {
  type?: AgentType[];
  allTypes?: boolean;
  behavior?: AgentBehavior[];
  agent?: string[];
  excludeAgent?: string[];
  excludeOperator?: string[];
  disallow?: string;
  project?: string;
}

/** Agent selection as the API expects it. */
export interface Selection {
  agent_types: AgentType[];
  agent_behaviors?: AgentBehavior[];
  agent_tokens?: string[];
  excluded_agent_tokens?: string[];
  excluded_operator_names?: string[];
  disallow?: string;
}

export const behaviorOption = (description: string): Option =>
  new Option('--behavior <name...>', description).choices(AGENT_BEHAVIORS);

export const allowPrivateOption = (): Option =>
  new Option('--allow-private', 'allow requests to private networks and any port');

/** Adds the options in {@link SelectionOptions} to a command. */
export function addSelectionOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--type <name>', 'agent type to include (case-insensitive), repeatable').argParser(collectType),
    )
    .addOption(new Option('--all-types', 'include agents of all types').conflicts('type'))
    .addOption(behaviorOption('include agents with these behaviors'))
    .option('--agent <token>', 'other agent to include, repeatable', collect)
    .option('--exclude-agent <token>', 'agent to exclude, repeatable', collect)
    .option('--exclude-operator <name>', 'operator whose agents to exclude, repeatable', collect)
    .option(
      '--disallow <path>',
      'path to disallow for these agents in robots.txt; an empty path allows everything (default: "/")',
    )
    .addOption(projectOption('project whose access token to use'));
}

/** @throws {CliError} with exit code 2 if the options don't select any agents. */
export function parseSelection({
  type,
  allTypes,
  behavior,
  agent,
  excludeAgent,
  excludeOperator,
  disallow,
}: SelectionOptions): Selection {
  const types = allTypes ? [...AGENT_TYPES] : (type ?? ((behavior ?? agent) && []));
  if (types === undefined) {
    throw new CliError(
      'No agents selected. Use --type NAME (repeatable), --behavior NAME, --agent TOKEN, or --all-types.',
      {
        exitCode: EXIT.usage,
        hint: `Types: ${AGENT_TYPES.join(', ')}`,
      },
    );
  }
  return {
    agent_types: [...new Set(types)],
    ...(behavior && { agent_behaviors: [...new Set(behavior)] }),
    ...(agent && { agent_tokens: agent }),
    ...(excludeAgent && { excluded_agent_tokens: excludeAgent }),
    ...(excludeOperator && { excluded_operator_names: excludeOperator }),
    ...(disallow !== undefined && { disallow }),
  };
}

const TYPES_BY_NAME = new Map<string, AgentType>([
  ...AGENT_TYPES.map((type) => [type.toLowerCase(), type] as const),
  ...Object.entries(RENAMED_AGENT_TYPES).map(([old, type]) => [old.toLowerCase(), type] as const),
]);

function collectType(value: string, all: AgentType[] = []): AgentType[] {
  const type = TYPES_BY_NAME.get(value.trim().toLowerCase());
  if (type === undefined) throw new InvalidArgumentError(`Allowed choices are ${AGENT_TYPES.join(', ')}.`);
  return [...all, type];
}
