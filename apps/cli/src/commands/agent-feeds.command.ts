import { Command, Option } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { FEED_AGENT_STATES, type AgentFeed, type FeedAgent, type FeedAgentState } from '#libs/contracts';
import { suggestReidentification } from '../agents/earlier-visits.js';
import { describeVisitCounts, renderFeedTable, renderProposalTable } from '../agents/feed-text.js';
import { CliError, EXIT, HttpError } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import { readInput } from '../input-file.js';
import type { Connect } from '../instance.js';
import { jsonOption, integerParser } from '../options.js';
import { note, print, printJson } from '../output.js';
import { count, plural, escapeInvisible } from '../terminal-text.js';

const HELP = `
A feed is a list of agents that someone else maintains: an https URL that is
fetched once a day, or a file. Supported formats are files from "agents export"
and the public lists crawler-user-agents, ai.robots.txt (robots.json) and
Arcjet's well-known-bots. A feed only proposes agents. The catalog doesn't change
until you accept them.

Examples:
  agent-traffic agents feeds add Crawlers https://lists.example.com/crawlers.json
  agent-traffic agents feeds proposals
  agent-traffic agents feeds proposals Crawlers --state refused
  agent-traffic agents feeds accept Crawlers NewBot OtherBot
  agent-traffic agents feeds accept Crawlers --all --always
  agent-traffic agents feeds refresh Ours agents.json`;

const POLL_INTERVAL_MS = 500;
const MAX_WAIT_MS = 120_000;

const NOT_PROPOSED_REASONS: Record<Exclude<FeedAgentState, 'proposed'>, string> = {
  accepted: 'It was already accepted from this feed.',
  known: 'It is already in the catalog.',
  dismissed: 'It was dismissed.',
  refused: 'It was rejected.',
};

interface AddOptions {
  publicKey?: string;
  always?: boolean;
  json?: boolean;
}

export function agentFeedsCommand(connect: Connect): Command {
  const feeds = new Command('feeds')
    .description('import agents from lists that others maintain')
    .addHelpText('after', HELP);
  feeds
    .command('list')
    .description('list the feeds')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: boolean }) => {
      const { client } = await connect();
      const found = await client.get('/api/agent-feeds');
      if (json) printJson(found.feeds);
      else print(found.feeds.length === 0 ? 'No feeds yet.' : renderFeedTable(found.feeds));
    });
  feeds
    .command('add')
    .description('add a feed and fetch it')
    .argument('<name>', 'name for the feed')
    .argument('<address|file>', 'https URL or file; - for standard input')
    .option('--public-key <file>', 'Ed25519 public key (PEM) that must have signed the feed')
    .option('--always', 'accept all agents in the feed automatically, now and in the future')
    .addOption(jsonOption())
    .action(async (name: string, source: string, { publicKey, always, json }: AddOptions) => {
      const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
      const body = {
        name,
        ...(isAddress ? { url: source } : { document: await readInput(source) }),
        ...(publicKey !== undefined && { public_key: await readInput(publicKey, '--public-key') }),
        ...(always && { accepts_all: true }),
      };
      const { client } = await connect();
      const added = await client
        .post('/api/agent-feeds', { body })
        .catch((error: unknown) => rethrowWithHint(error, client, name, isAddress ? null : source));
      showFeed(await waitUntilLoaded(client, added.id), json);
    });
  feeds
    .command('refresh')
    .description('fetch a feed again, or replace the content of a feed that is a file')
    .argument('<name>')
    .argument('[file]', 'new content for a feed that is a file')
    .addOption(jsonOption())
    .action(async (name: string, file: string | undefined, { json }: { json?: boolean }) => {
      const { client } = await connect();
      const { id } = await findFeed(client, name);
      const params = { path: { feedId: id } };
      if (file === undefined) await client.post('/api/agent-feeds/{feedId}/refresh', { params });
      else await client.patch('/api/agent-feeds/{feedId}', { params, body: { document: await readInput(file) } });
      showFeed(await waitUntilLoaded(client, id), json);
    });
  feeds
    .command('remove')
    .description('remove a feed and its proposals; accepted agents stay in the catalog')
    .argument('<name>')
    .option('--with-agents', 'also remove agents accepted from this feed')
    .action(async (name: string, { withAgents }: { withAgents?: boolean }) => {
      const { client } = await connect();
      const { id, name: found } = await findFeed(client, name);
      await client.delete('/api/agent-feeds/{feedId}', {
        params: { path: { feedId: id }, query: { agents: withAgents ? 'remove' : 'keep' } },
      });
      print(`Removed feed ${escapeInvisible(found)}${withAgents ? ' and its agents' : ''}.`);
    });
  feeds
    .command('proposals')
    .description('list proposed agents and the number of visits each would match')
    .argument('[name]', 'feed name or ID (default: all feeds)')
    .addOption(
      new Option('--state <state>', 'state of the agents to list').choices(FEED_AGENT_STATES).default('proposed'),
    )
    .option('--limit <n>', 'maximum number of agents', integerParser(1, 1_000), 100)
    .addOption(jsonOption())
    .action(
      async (
        name: string | undefined,
        { state, limit, json }: { state: FeedAgentState; limit: number; json?: boolean },
      ) => {
        const { client } = await connect();
        const feedId = name === undefined ? undefined : (await findFeed(client, name)).id;
        const { agents, total } = await client.get('/api/agent-proposals', {
          params: { query: { feed_id: feedId, state, limit } },
        });
        if (json) return printJson(agents);
        if (agents.length === 0) return print(`No ${state} agents.`);
        const visits = state === 'proposed' ? await client.get('/api/agent-proposals/visits') : null;
        print(renderProposalTable(agents, visits));
        if (visits !== null) note(describeVisitCounts(visits));
        if (total > agents.length)
          note(`Showing ${count(agents.length)} of ${count(total)}. Use --limit to show more.`);
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
    .description(isAcceptance ? 'add proposed agents to the catalog' : 'dismiss agents and stop proposing them')
    .argument('<name>', 'feed name or ID')
    .argument('[token...]', 'tokens of proposed agents')
    .option('--all', 'all agents that the feed proposes');
  if (isAcceptance) command.option('--always', 'accept all agents in the feed automatically, now and in the future');
  return command.action(async (name: string, tokens: string[], { all, always }: DecisionOptions) => {
    if (tokens.length > 0 === (all ?? always ?? false)) {
      throw new CliError('Specify either agent tokens or --all.', { exitCode: EXIT.usage });
    }
    const { client } = await connect();
    const { id } = await findFeed(client, name);
    const ids = all || always ? undefined : await findProposedIds(client, id, tokens);
    const result = await client.post(isAcceptance ? '/api/agent-proposals/accept' : '/api/agent-proposals/dismiss', {
      body: { feed_id: id, ...(ids !== undefined && { agent_ids: ids }) },
    });
    if (always)
      await client.patch('/api/agent-feeds/{feedId}', {
        params: { path: { feedId: id } },
        body: { accepts_all: true },
      });
    for (const { token, reason } of result.refused)
      note(`${escapeInvisible(token)} was rejected: ${escapeInvisible(reason)}`);
    print(`${isAcceptance ? 'Accepted' : 'Dismissed'} ${plural(result.decided, 'agent')}.`);
    if (!isAcceptance || result.decided === 0) return;
    note(`New visits are matched against ${result.decided === 1 ? 'it' : 'them'}. To re-identify earlier visits:`);
    await suggestReidentification(client, tokens.length === 1 ? tokens[0]! : null);
  });
}

async function findFeed(client: InstanceClient, name: string): Promise<AgentFeed> {
  const { feeds } = await client.get('/api/agent-feeds');
  const found = feeds.find((feed) => feed.id === name || feed.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  throw new CliError(`Feed ${escapeInvisible(name)} doesn't exist.`, {
    hint: 'To list all feeds: agent-traffic agents feeds list',
  });
}

/** Rethrows the error, with a hint if a feed with this name exists. @param file Null if the new feed has a URL. */
async function rethrowWithHint(
  error: unknown,
  client: InstanceClient,
  name: string,
  file: string | null,
): Promise<never> {
  if (!(error instanceof HttpError) || error.status !== 409) throw error;
  const { feeds } = await client.get('/api/agent-feeds');
  const existingFeed = feeds.find((feed) => feed.name.toLowerCase() === name.trim().toLowerCase());
  if (existingFeed === undefined) throw error;
  const quoted = `"${escapeInvisible(existingFeed.name)}"`;
  const hint =
    file !== null && existingFeed.url === null
      ? `To update it from this file: agent-traffic agents feeds refresh ${quoted} "${escapeInvisible(file)}"`
      : `To remove it first: agent-traffic agents feeds remove ${quoted}`;
  throw new HttpError(error.status, error.problem, error.message, { hint });
}

async function findProposedIds(client: InstanceClient, feedId: string, tokens: readonly string[]): Promise<string[]> {
  const listAgentsByState = async (state: FeedAgentState): Promise<Map<string, FeedAgent>> => {
    const query = { feed_id: feedId, state, limit: 1_000 };
    const { agents } = await client.get('/api/agent-proposals', { params: { query } });
    return new Map(agents.map((agent) => [agent.token.toLowerCase(), agent]));
  };
  const proposed = await listAgentsByState('proposed');
  const missing = tokens.find((token) => !proposed.has(token.toLowerCase()));
  if (missing === undefined) return tokens.map((token) => proposed.get(token.toLowerCase())!.agent_id);
  for (const state of ['accepted', 'known', 'dismissed', 'refused'] as const) {
    const found = (await listAgentsByState(state)).get(missing.toLowerCase());
    if (found === undefined) continue;
    const reason = escapeInvisible(found.reason ?? NOT_PROPOSED_REASONS[state]);
    throw new CliError(`The feed doesn't propose ${escapeInvisible(found.token)}. ${reason}`);
  }
  throw new CliError(`The feed doesn't contain ${escapeInvisible(missing)}.`, {
    hint: 'To list proposed agents: agent-traffic agents feeds proposals',
  });
}

async function waitUntilLoaded(client: InstanceClient, id: string): Promise<AgentFeed> {
  const deadline = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const { feeds } = await client.get('/api/agent-feeds');
    const feed = feeds.find((one) => one.id === id);
    if (feed !== undefined && (feed.state !== 'waiting' || Date.now() > deadline)) return feed;
    await sleep(POLL_INTERVAL_MS);
  }
}

/** @throws {CliError} if the feed couldn't be fetched or parsed. */
function showFeed(feed: AgentFeed, json: boolean | undefined): void {
  if (json) printJson(feed);
  else print(renderFeedTable([{ ...feed, fault: null }]));
  if (feed.state === 'waiting')
    note('The feed is still being fetched. To check its state: agent-traffic agents feeds list');
  if (feed.fault !== null)
    throw new CliError(`Feed ${escapeInvisible(feed.name)} could not be loaded. ${escapeInvisible(feed.fault)}`);
  if (json) return;
  const proposals = `agent-traffic agents feeds proposals "${escapeInvisible(feed.name)}"`;
  if (feed.counts.proposed > 0) note(`To see the proposed agents: ${proposals}`);
  if (feed.counts.refused > 0) note(`To see why agents were rejected: ${proposals} --state refused`);
}
