import { Command, Option } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { FEED_AGENT_STATES, type AgentFeed, type FeedAgent, type FeedAgentState } from '#libs/contracts';
import { noteEarlierVisits } from '../agents/earlier-visits.js';
import { countedFrom, feedTable, proposalTable } from '../agents/feed-text.js';
import { CliError, EXIT, HttpError } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import { readInput } from '../input-file.js';
import type { Connect } from '../instance.js';
import { jsonOption, wholeNumber } from '../options.js';
import { note, print, printJson } from '../output.js';
import { count, plural, visible } from '../terminal-text.js';

const HELP = `
A feed is a list of agents that somebody keeps: an https address that is fetched
once a day, or a file. Files of "agents export" are read, and the public lists
crawler-user-agents, ai.robots.txt (robots.json) and Arcjet's well-known-bots.
What a feed brings is proposed, and changes nothing until you accept it.

Examples:
  agent-traffic agents feeds add Crawlers https://lists.example.com/crawlers.json
  agent-traffic agents feeds proposals
  agent-traffic agents feeds proposals Crawlers --state refused
  agent-traffic agents feeds accept Crawlers NewBot OtherBot
  agent-traffic agents feeds accept Crawlers --all --always
  agent-traffic agents feeds refresh Ours agents.json`;

const LOOK_INTERVAL_MS = 500;
const MAX_WAIT_MS = 120_000;

const NOT_PROPOSED: Record<Exclude<FeedAgentState, 'proposed'>, string> = {
  accepted: 'The catalog has it already, from this feed.',
  known: 'The catalog has it already.',
  dismissed: 'It was dismissed.',
  refused: 'It was refused.',
};

interface AddOptions {
  publicKey?: string;
  always?: boolean;
  json?: boolean;
}

export function agentFeedsCommand(connect: Connect): Command {
  const feeds = new Command('feeds').description('take agents from lists that others keep').addHelpText('after', HELP);
  feeds
    .command('list')
    .description('list the feeds')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const { client } = await connect();
      const found = await client.get('/api/agent-feeds');
      if (json) printJson(found.feeds);
      else print(found.feeds.length === 0 ? 'There are no feeds.' : feedTable(found.feeds));
    });
  feeds
    .command('add')
    .description('add a feed, and read it')
    .argument('<name>', 'what to call it')
    .argument('<address|file>', 'an https address, or a file; - is standard input')
    .option('--public-key <file>', 'take only what this Ed25519 key (PEM) has signed')
    .option('--always', 'accept all that it brings, now and later')
    .addOption(jsonOption())
    .action(async (name: string, source: string, { publicKey, always, json }: AddOptions) => {
      const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
      const body = {
        name,
        ...(isAddress ? { url: source } : { document: await readInput(source) }),
        ...(publicKey !== undefined && { public_key: await readInput(publicKey) }),
        ...(always && { accepts_all: true }),
      };
      const { client } = await connect();
      const added = await client
        .post('/api/agent-feeds', { body })
        .catch((error: unknown) => explain(error, client, name, isAddress ? null : source));
      show(await untilRead(client, added.id), json);
    });
  feeds
    .command('refresh')
    .description('read a feed again')
    .argument('<name>')
    .argument('[file]', 'its new content, of a feed that is a file')
    .addOption(jsonOption())
    .action(async (name: string, file: string | undefined, { json }: { json?: boolean }) => {
      const { client } = await connect();
      const { id } = await feedNamed(client, name);
      const params = { path: { feedId: id } };
      if (file === undefined) await client.post('/api/agent-feeds/{feedId}/refresh', { params });
      else await client.patch('/api/agent-feeds/{feedId}', { params, body: { document: await readInput(file) } });
      show(await untilRead(client, id), json);
    });
  feeds
    .command('remove')
    .description('remove a feed with its proposals; its accepted agents stay')
    .argument('<name>')
    .option('--with-agents', 'also remove the agents that were accepted from it')
    .action(async (name: string, { withAgents }: { withAgents?: boolean }) => {
      const { client } = await connect();
      const { id, name: found } = await feedNamed(client, name);
      await client.delete('/api/agent-feeds/{feedId}', {
        params: { path: { feedId: id }, query: { agents: withAgents ? 'remove' : 'keep' } },
      });
      print(`The feed ${visible(found)} is removed${withAgents ? ', with its agents' : ''}.`);
    });
  feeds
    .command('proposals')
    .description('list what feeds propose, and what each would match')
    .argument('[name]', 'only those of this feed')
    .addOption(
      new Option('--state <state>', 'instead those that became this').choices(FEED_AGENT_STATES).default('proposed'),
    )
    .option('--limit <n>', 'how many', wholeNumber(1, 1_000), 100)
    .addOption(jsonOption())
    .action(
      async (
        name: string | undefined,
        { state, limit, json }: { state: FeedAgentState; limit: number; json?: boolean },
      ) => {
        const { client } = await connect();
        const feedId = name === undefined ? undefined : (await feedNamed(client, name)).id;
        const { agents, total } = await client.get('/api/agent-proposals', {
          params: { query: { feed_id: feedId, state, limit } },
        });
        if (json) return printJson(agents);
        if (agents.length === 0) return print(`No agents are ${state}.`);
        const visits = state === 'proposed' ? await client.get('/api/agent-proposals/visits') : null;
        print(proposalTable(agents, visits));
        if (visits !== null) note(countedFrom(visits));
        if (total > agents.length) note(`Showing ${count(agents.length)} of ${count(total)}. Show more with --limit.`);
      },
    );
  for (const decision of ['accept', 'dismiss'] as const) feeds.addCommand(decisionCommand(connect, decision));
  return feeds;
}

interface DecisionOptions {
  all?: boolean;
  always?: boolean;
}

function decisionCommand(connect: Connect, decision: 'accept' | 'dismiss'): Command {
  const isAcceptance = decision === 'accept';
  const command = new Command(decision)
    .description(isAcceptance ? 'take proposed agents into the catalog' : 'have proposed agents not proposed again')
    .argument('<name>', 'the feed')
    .argument('[token...]', 'which of its proposed agents')
    .option('--all', 'all that it proposes');
  if (isAcceptance) command.option('--always', 'from now on accept all that it brings');
  return command.action(async (name: string, tokens: string[], { all, always }: DecisionOptions) => {
    if (tokens.length > 0 === (all ?? always ?? false)) {
      throw new CliError('Choose agents: name their tokens, or use --all.', { exitCode: EXIT.usage });
    }
    const { client } = await connect();
    const { id } = await feedNamed(client, name);
    const ids = all || always ? undefined : await proposedIds(client, id, tokens);
    const result = await client.post(isAcceptance ? '/api/agent-proposals/accept' : '/api/agent-proposals/dismiss', {
      body: { feed_id: id, ...(ids !== undefined && { agent_ids: ids }) },
    });
    if (always)
      await client.patch('/api/agent-feeds/{feedId}', {
        params: { path: { feedId: id } },
        body: { accepts_all: true },
      });
    for (const { token, reason } of result.refused) note(`${visible(token)} was refused: ${visible(reason)}`);
    print(`${isAcceptance ? 'Accepted' : 'Dismissed'} ${plural(result.decided, 'agent')}.`);
    if (!isAcceptance || result.decided === 0) return;
    note(`New visits are matched against ${result.decided === 1 ? 'it' : 'them'}. To find earlier ones:`);
    await noteEarlierVisits(client, tokens.length === 1 ? tokens[0]! : null);
  });
}

async function feedNamed(client: InstanceClient, name: string): Promise<AgentFeed> {
  const { feeds } = await client.get('/api/agent-feeds');
  const found = feeds.find((feed) => feed.id === name || feed.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  throw new CliError(`There is no feed ${visible(name)}.`, { hint: 'See: agent-traffic agents feeds list' });
}

/** Rethrows the error. If a feed with this name exists, adds advice. @param file Null if the new feed has a URL. */
async function explain(error: unknown, client: InstanceClient, name: string, file: string | null): Promise<never> {
  if (!(error instanceof HttpError) || error.status !== 409) throw error;
  const { feeds } = await client.get('/api/agent-feeds');
  const namesake = feeds.find((feed) => feed.name.toLowerCase() === name.trim().toLowerCase());
  if (namesake === undefined) throw error;
  const quoted = `"${visible(namesake.name)}"`;
  const hint =
    file !== null && namesake.url === null
      ? `To give it this content: agent-traffic agents feeds refresh ${quoted} "${visible(file)}"`
      : `To remove it first: agent-traffic agents feeds remove ${quoted}`;
  throw new HttpError(error.status, error.problem, error.message, { hint });
}

async function proposedIds(client: InstanceClient, feedId: string, tokens: readonly string[]): Promise<string[]> {
  const agentsIn = async (state: FeedAgentState): Promise<Map<string, FeedAgent>> => {
    const query = { feed_id: feedId, state, limit: 1_000 };
    const { agents } = await client.get('/api/agent-proposals', { params: { query } });
    return new Map(agents.map((agent) => [agent.token.toLowerCase(), agent]));
  };
  const proposed = await agentsIn('proposed');
  const missing = tokens.find((token) => !proposed.has(token.toLowerCase()));
  if (missing === undefined) return tokens.map((token) => proposed.get(token.toLowerCase())!.agent_id);
  for (const state of ['accepted', 'known', 'dismissed', 'refused'] as const) {
    const found = (await agentsIn(state)).get(missing.toLowerCase());
    if (found === undefined) continue;
    const reason = visible(found.reason ?? NOT_PROPOSED[state]);
    throw new CliError(`The feed does not propose ${visible(found.token)}. ${reason}`);
  }
  throw new CliError(`The feed does not have ${visible(missing)}.`, {
    hint: 'See: agent-traffic agents feeds proposals',
  });
}

async function untilRead(client: InstanceClient, id: string): Promise<AgentFeed> {
  const end = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const { feeds } = await client.get('/api/agent-feeds');
    const feed = feeds.find((one) => one.id === id);
    if (feed !== undefined && (feed.state !== 'waiting' || Date.now() > end)) return feed;
    await sleep(LOOK_INTERVAL_MS);
  }
}

/** @throws CliError if the feed couldn't be read. */
function show(feed: AgentFeed, json: boolean | undefined): void {
  if (json) printJson(feed);
  else print(feedTable([{ ...feed, fault: null }]));
  if (feed.state === 'waiting') note('It is still being read. See: agent-traffic agents feeds list');
  if (feed.fault !== null) throw new CliError(`The feed ${visible(feed.name)} was not taken. ${visible(feed.fault)}`);
  if (json) return;
  const proposals = `agent-traffic agents feeds proposals "${visible(feed.name)}"`;
  if (feed.counts.proposed > 0) note(`See what it proposes: ${proposals}`);
  if (feed.counts.refused > 0) note(`See what was refused, and why: ${proposals} --state refused`);
}
