import { METHODS, getAgentMethods, NO_METHOD } from '#libs/agents/vocabulary';
import { AGENT_BEHAVIOR_NAMES, type AgentBehavior } from '#libs/contracts';
import type { AgentListItem } from '#libs/contracts';
import { count, localTime, truncate, renderTable, escapeInvisible } from '../terminal-text.js';

/** Maximum number of address ranges to show. Some agents have hundreds. */
const MAX_SHOWN_RANGES = 8;
const NAME_WIDTH = 18;

export function renderAgentTable(agents: readonly AgentListItem[]): string {
  return renderTable(
    ['TOKEN', 'TYPE', 'OPERATOR', 'VERIFIED BY', 'ORIGIN'],
    agents.map((agent) => [
      truncate(escapeInvisible(agent.token), 32),
      escapeInvisible(agent.type),
      truncate(escapeInvisible(agent.operator ?? '-'), 24),
      getMethodNames(agent).join(', ') || '-',
      truncate(escapeInvisible(describeOrigin(agent)), 40),
    ]),
  );
}

export function renderAgent(agent: AgentListItem): string {
  const { verification } = agent;
  const ranges = verification.ip_ranges ?? [];
  const dateSuffix = verification.ip_ranges_as_of === undefined ? '' : ` as of ${verification.ip_ranges_as_of}`;
  const facts: [string, string[]][] = [
    ['ID', [agent.id]],
    ['Origin', [describeOrigin(agent)]],
    ['Changed', [localTime(agent.feed?.accepted_at ?? agent.changed_at)]],
    ['Type', [agent.type]],
    ['Behaviors', agent.behaviors?.length ? [formatBehaviors(agent.behaviors)] : []],
    ['Discontinued on', agent.ended_on === undefined ? [] : [agent.ended_on]],
    ['Operator', [agent.operator ?? 'unknown']],
    ['About', [agent.url ?? 'none']],
    ['robots.txt token', [agent.robots_token ?? 'none']],
    ['Kind', describeKind(agent)],
    ['Patterns', agent.user_agent_patterns],
    ['Loose patterns', agent.loose_patterns ?? []],
    ['Excluded prefixes', (agent.excluded_prefixes ?? []).map((prefix) => JSON.stringify(prefix))],
    ['Samples', agent.sample_user_agents ?? []],
    ['Signature agents', verification.signature_agents ?? []],
    ['Host names', (verification.reverse_dns_suffixes ?? []).map((suffix) => `${suffix}, *.${suffix}`)],
    ['Address lists', (verification.ip_list_urls ?? []).map(({ url, format }) => `${url} (${format})`)],
    ['Address ranges', rangeLines(ranges, dateSuffix)],
    ['Sources', agent.sources?.length ? [agent.sources.join(', ')] : []],
  ];
  const lines = facts.flatMap(([name, texts]) =>
    texts.map((text, index) => `${(index === 0 ? name : '').padEnd(NAME_WIDTH)}${escapeInvisible(text)}`),
  );
  const unverifiableNote = getMethodNames(agent).length === 0 ? ['', NO_METHOD] : [];
  const faults = (agent.faults ?? []).map(({ pointer, detail }) => escapeInvisible(`${pointer} ${detail}`));
  const faultLines =
    faults.length === 0
      ? []
      : ['', 'The patterns still work, but this agent can only be saved after you fix these errors:', ...faults];
  return [escapeInvisible(agent.token), '', ...lines, ...unverifiableNote, ...faultLines].join('\n');
}

const formatBehaviors = (behaviors: readonly AgentBehavior[]): string =>
  behaviors.map((behavior) => AGENT_BEHAVIOR_NAMES[behavior]).join(', ');

function rangeLines(ranges: string[], dateSuffix: string): string[] {
  const more = ranges.length - MAX_SHOWN_RANGES;
  if (more <= 1) return ranges.map((range, index) => (index === 0 ? range + dateSuffix : range));
  return [...ranges.slice(0, MAX_SHOWN_RANGES), `and ${count(more)} more${dateSuffix}; use --json to show all`];
}

function describeKind(agent: AgentListItem): string[] {
  if (agent.generic) return ['library or framework that other agents use'];
  if (agent.robots_only) return ['robots.txt token that is never sent in a User-Agent'];
  return agent.signature_only ? ["sends a browser's User-Agent; identified by its signature"] : [];
}

const getMethodNames = ({ verification }: AgentListItem): string[] =>
  getAgentMethods(verification).map((method) => METHODS[method]);

function describeOrigin({ origin, feed, is_edited: isEdited }: AgentListItem): string {
  if (origin === 'own') return 'own';
  const originName =
    feed === undefined ? 'bundled' : `feed ${feed.name}${feed.gone_at === null ? '' : ', no longer in the feed'}`;
  return isEdited ? `${originName}, edited` : originName;
}
