import { Command, Option } from 'commander';
import type { AgentBehavior, AgentListItem, AgentType } from '#libs/contracts';
import { toAgentRecord } from '#libs/contracts/agent-record';
import { EXIT, CliError } from '../cli-error.js';
import { listAgents, type AgentFilters } from '../agents/agent-pages.js';
import { CLEARABLE, typeOption, addAgentOptions, type AgentOptions, type Clearable } from '../agents/agent-options.js';
import { renderAgentTable, renderAgent } from '../agents/agent-text.js';
import { suggestReidentification } from '../agents/earlier-visits.js';
import type { Connect } from '../instance.js';
import { jsonOption, integerParser } from '../options.js';
import { behaviorOption } from '../robots/robots-options.js';
import { escapeInvisible } from '../terminal-text.js';
import { agentFeedsCommand } from './agent-feeds.command.js';
import { agentsFileCommands } from './agents-file.command.js';
import { note, print, printJson } from '../output.js';

const HELP = `
You can edit bundled agents. Removing an edited bundled agent restores the bundled
version.

Examples:
  agent-traffic agents list --operator OpenAI
  agent-traffic agents show GPTBot
  agent-traffic agents add --token ShopMonitor --type "Developer Helper" --pattern ShopMonitor/ --ip-range 192.0.2.0/28
  agent-traffic agents edit ShopMonitor --dns-suffix monitor.example.com --clear ip-range
  agent-traffic agents export > agents.json
  agent-traffic agents check agents.json && agent-traffic agents import agents.json`;

interface ListOptions {
  search?: string;
  type?: AgentType;
  behavior?: AgentBehavior[];
  operator?: string;
  own?: boolean;
  fromFeeds?: boolean;
  limit: number;
  json?: boolean;
}

interface EditOptions extends AgentOptions {
  clear?: Clearable[];
  json?: boolean;
}

export function agentsCommand(connect: Connect, exit: (code: number) => void): Command {
  const agents = new Command('agents')
    .description('list, add and edit agents in the catalog')
    .addHelpText('after', HELP);
  agents
    .command('list')
    .description('list agents')
    .option('--search <text>', 'text to find in tokens, operators and robots.txt tokens')
    .addOption(typeOption())
    .addOption(behaviorOption('only agents with one of these behaviors'))
    .option('--operator <name>', 'only agents from this operator')
    .option('--own', 'only agents added on this instance')
    .option('--from-feeds', 'only agents accepted from feeds')
    .option('--limit <n>', 'maximum number of agents', integerParser(1, 100_000), 50)
    .addOption(jsonOption())
    .action(async ({ search, type, behavior, operator, own, fromFeeds, limit, json }: ListOptions) => {
      const { client } = await connect();
      const filters: AgentFilters = {
        search,
        type: type && [type],
        behavior,
        operator: operator === undefined ? undefined : [operator],
        origin: own ? 'own' : fromFeeds ? 'feed' : undefined,
      };
      const { agents: all, hasMore } = await listAgents(client, filters, limit);
      if (json) printJson(all);
      else print(all.length === 0 ? 'No agents match.' : renderAgentTable(all));
      if (hasMore) note(`Showing the first ${limit}. Use --limit to show more.`);
    });
  agents
    .command('show')
    .description("show an agent's catalog entry")
    .argument('<token|id>', 'agent token (case-insensitive) or ID')
    .addOption(jsonOption())
    .action(async (name: string, { json }: { json?: boolean }) => {
      const { client } = await connect();
      showAgent(await client.get('/api/agents/{agent}', { params: { path: { agent: name } } }), json);
    });
  const add = agents
    .command('add')
    .description('add an agent')
    .requiredOption('--token <token>', 'unique name for the agent')
    .addOption(typeOption().makeOptionMandatory());
  addAgentOptions(add)
    .addOption(jsonOption())
    .action(async ({ token, ...options }: EditOptions & { token: string; type: AgentType }) => {
      // Imported lazily because it loads slowly.
      const { createRecord: newRecord } = await import('../agents/agent-record.js');
      const record = newRecord(token, options.type, options);
      const { client } = await connect();
      const addedAgent = await client.post('/api/agents', { body: record });
      if (!options.json) {
        note(
          `Added ${escapeInvisible(addedAgent.token)}. New visits are matched against it. To re-identify earlier visits:`,
        );
        await suggestReidentification(client, addedAgent.token);
      }
      showAgent(addedAgent, options.json);
    });
  const edit = agents
    .command('edit')
    .description('change an agent; each option replaces the current value')
    .argument('<token|id>', 'agent token (case-insensitive) or ID')
    .addOption(typeOption());
  addAgentOptions(edit)
    .addOption(new Option('--clear <field...>', 'fields to clear').choices(CLEARABLE))
    .addOption(jsonOption())
    .action(async (name: string, { clear, json, ...options }: EditOptions) => {
      if (clear === undefined && Object.keys(options).length === 0) {
        throw new CliError('No changes specified.', {
          exitCode: EXIT.usage,
          hint: 'See: agent-traffic agents edit --help',
        });
      }
      const { updateRecord: changedRecord } = await import('../agents/agent-record.js');
      const { client } = await connect();
      const agent = await client.get('/api/agents/{agent}', { params: { path: { agent: name } } });
      const record = changedRecord(toAgentRecord(agent), options, clear);
      const changedAgent = await client.put('/api/agents/{agent}', {
        params: { path: { agent: agent.token } },
        body: record,
      });
      if (!json) note(`Changed ${escapeInvisible(changedAgent.token)}.`);
      showAgent(changedAgent, json);
    });
  agents
    .command('remove')
    .description('remove your own agent or one from a feed, or restore an edited agent')
    .argument('<token|id>', 'agent token (case-insensitive) or ID')
    .action(async (name: string) => {
      const { client } = await connect();
      const agent = await client.get('/api/agents/{agent}', { params: { path: { agent: name } } });
      await client.delete('/api/agents/{agent}', { params: { path: { agent: agent.token } } });
      const isRestored = agent.is_edited;
      const origin =
        agent.feed === undefined ? 'included in this release' : `from the feed ${escapeInvisible(agent.feed.name)}`;
      print(`${escapeInvisible(agent.token)} was ${isRestored ? `restored to the version ${origin}` : 'removed'}.`);
    });
  for (const command of agentsFileCommands(connect, exit)) agents.addCommand(command);
  agents.addCommand(agentFeedsCommand(connect));
  return agents;
}

function showAgent(agent: AgentListItem, json: boolean | undefined): void {
  if (json) printJson(agent);
  else print(renderAgent(agent));
}
