import { Command, Option } from 'commander';
import type { AgentBehavior, AgentListItem, AgentType } from '#libs/contracts';
import { recordOf } from '#libs/contracts/agent-record';
import { EXIT, CliError } from '../cli-error.js';
import { listAgents, type AgentFilters } from '../agents/agent-pages.js';
import { CLEARABLE, typeOption, withAgentOptions, type AgentOptions, type Clearable } from '../agents/agent-options.js';
import { agentTable, renderAgent } from '../agents/agent-text.js';
import { noteEarlierVisits } from '../agents/earlier-visits.js';
import type { Connect } from '../instance.js';
import { jsonOption, wholeNumber } from '../options.js';
import { behaviorOption } from '../robots/robots-options.js';
import { visible } from '../terminal-text.js';
import { agentFeedsCommand } from './agent-feeds.command.js';
import { agentsFileCommands } from './agents-file.command.js';
import { note, print, printJson } from '../output.js';

const HELP = `
Agents that come with the release can be edited. Removing an edited one restores
the version that came with the release.

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
    .description('list, add and edit the agents in the catalog')
    .addHelpText('after', HELP);
  agents
    .command('list')
    .description('list agents')
    .option('--search <text>', 'only agents with this text in their token, operator or patterns')
    .addOption(typeOption())
    .addOption(behaviorOption('only those with one of these behaviors'))
    .option('--operator <name>', 'only those of this operator')
    .option('--own', 'only those added here')
    .option('--from-feeds', 'only those accepted from feeds')
    .option('--limit <n>', 'how many', wholeNumber(1, 100_000), 50)
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
      else print(all.length === 0 ? 'No agents match.' : agentTable(all));
      if (hasMore) note(`Showing the first ${limit}. Show more with --limit.`);
    });
  agents
    .command('show')
    .description('show everything the catalog has on an agent')
    .argument('<token|id>', "the agent's token, in any case, or its id")
    .addOption(jsonOption())
    .action(async (name: string, { json }: { json?: boolean }) => {
      const { client } = await connect();
      show(await client.get('/api/agents/{agent}', { params: { path: { agent: name } } }), json);
    });
  const add = agents
    .command('add')
    .description('add an agent')
    .requiredOption('--token <token>', 'its name, which must be unique')
    .addOption(typeOption().makeOptionMandatory());
  withAgentOptions(add)
    .addOption(jsonOption())
    .action(async ({ token, ...options }: EditOptions & { token: string; type: AgentType }) => {
      // Loaded lazily: this import takes longer than most commands run.
      const { newRecord } = await import('../agents/agent-record.js');
      const record = newRecord(token, options.type, options);
      const { client } = await connect();
      const added = await client.post('/api/agents', { body: record });
      if (!options.json) {
        note(`Added ${visible(added.token)}. New visits are matched against it. To find earlier ones:`);
        await noteEarlierVisits(client, added.token);
      }
      show(added, options.json);
    });
  const edit = agents
    .command('edit')
    .description('change an agent; each option replaces the former value')
    .argument('<token|id>', "the agent's token, in any case, or its id")
    .addOption(typeOption());
  withAgentOptions(edit)
    .addOption(new Option('--clear <field...>', 'clear these fields').choices(CLEARABLE))
    .addOption(jsonOption())
    .action(async (name: string, { clear, json, ...options }: EditOptions) => {
      if (clear === undefined && Object.keys(options).length === 0) {
        throw new CliError('No change was given.', { exitCode: EXIT.usage, hint: 'See: agents edit --help' });
      }
      const { changedRecord } = await import('../agents/agent-record.js');
      const { client } = await connect();
      const agent = await client.get('/api/agents/{agent}', { params: { path: { agent: name } } });
      const record = changedRecord(recordOf(agent), options, clear);
      const changed = await client.put('/api/agents/{agent}', {
        params: { path: { agent: agent.token } },
        body: record,
      });
      if (!json) note(`Changed ${visible(changed.token)}.`);
      show(changed, json);
    });
  agents
    .command('remove')
    .description('remove an agent of your own or of a feed, or restore an edited one')
    .argument('<token|id>', "the agent's token, in any case, or its id")
    .action(async (name: string) => {
      const { client } = await connect();
      const agent = await client.get('/api/agents/{agent}', { params: { path: { agent: name } } });
      await client.delete('/api/agents/{agent}', { params: { path: { agent: agent.token } } });
      const isRestored = agent.is_edited;
      const origin = agent.feed === undefined ? 'with the release' : `from the feed ${visible(agent.feed.name)}`;
      print(`${visible(agent.token)} is ${isRestored ? `again as it came ${origin}` : 'removed'}.`);
    });
  for (const command of agentsFileCommands(connect, exit)) agents.addCommand(command);
  agents.addCommand(agentFeedsCommand(connect));
  return agents;
}

function show(agent: AgentListItem, json: boolean | undefined): void {
  if (json) printJson(agent);
  else print(renderAgent(agent));
}
