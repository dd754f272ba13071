import { METHODS, methodsOfAgent, NO_METHOD } from '#libs/agents/vocabulary';
import { AGENT_BEHAVIOR_NAMES, type AgentBehavior } from '#libs/contracts';
import type { AgentListItem } from '#libs/contracts';
import { count, localTime, shortened, table, visible } from '../terminal-text.js';

/** Maximum number of ranges shown. Some agents have hundreds; the JSON contains all of them. */
const SHOWN_RANGES = 8;
const NAME_WIDTH = 18;

export function agentTable(agents: readonly AgentListItem[]): string {
  return table(
    ['TOKEN', 'TYPE', 'OPERATOR', 'PROVEN BY', 'ORIGIN'],
    agents.map((agent) => [
      shortened(visible(agent.token), 32),
      visible(agent.type),
      shortened(visible(agent.operator ?? '-'), 24),
      methodsOf(agent).join(', ') || '-',
      shortened(visible(originOf(agent)), 40),
    ]),
  );
}

export function renderAgent(agent: AgentListItem): string {
  const { verification } = agent;
  const ranges = verification.ip_ranges ?? [];
  const dated = verification.ip_ranges_as_of === undefined ? '' : ` as of ${verification.ip_ranges_as_of}`;
  const facts: [string, string[]][] = [
    ['Id', [agent.id]],
    ['Origin', [originOf(agent)]],
    ['Changed', [localTime(agent.feed?.accepted_at ?? agent.changed_at)]],
    ['Type', [agent.type]],
    ['Behaviors', agent.behaviors?.length ? [behaviorsOf(agent.behaviors)] : []],
    ['Ended on', agent.ended_on === undefined ? [] : [agent.ended_on]],
    ['Operator', [agent.operator ?? 'unknown']],
    ['About', [agent.url ?? 'none']],
    ['In robots.txt', [agent.robots_token ?? 'no name']],
    ['Kind', kindOf(agent)],
    ['Patterns', agent.user_agent_patterns],
    ['Parts of words', agent.loose_patterns ?? []],
    ['Not after', (agent.excluded_prefixes ?? []).map((prefix) => JSON.stringify(prefix))],
    ['Samples', agent.sample_user_agents ?? []],
    ['Signature agents', verification.signature_agents ?? []],
    ['Host names', (verification.reverse_dns_suffixes ?? []).map((suffix) => `${suffix}, *.${suffix}`)],
    ['Address lists', (verification.ip_list_urls ?? []).map(({ url, format }) => `${url} (${format})`)],
    ['Address ranges', rangeLines(ranges, dated)],
    ['Sources', agent.sources?.length ? [agent.sources.join(', ')] : []],
  ];
  const lines = facts.flatMap(([name, texts]) =>
    texts.map((text, index) => `${(index === 0 ? name : '').padEnd(NAME_WIDTH)}${visible(text)}`),
  );
  const unproven = methodsOf(agent).length === 0 ? ['', NO_METHOD] : [];
  const faults = (agent.faults ?? []).map(({ pointer, detail }) => visible(`${pointer} ${detail}`));
  const faulty =
    faults.length === 0 ? [] : ['', 'Its patterns still work, but cannot be saved as they are:', ...faults];
  return [visible(agent.token), '', ...lines, ...unproven, ...faulty].join('\n');
}

const behaviorsOf = (behaviors: readonly AgentBehavior[]): string =>
  behaviors.map((behavior) => AGENT_BEHAVIOR_NAMES[behavior]).join(', ');

function rangeLines(ranges: string[], dated: string): string[] {
  const more = ranges.length - SHOWN_RANGES;
  if (more <= 1) return ranges.map((range, index) => (index === 0 ? range + dated : range));
  return [...ranges.slice(0, SHOWN_RANGES), `and ${count(more)} more${dated}; all with --json`];
}

function kindOf(agent: AgentListItem): string[] {
  if (agent.generic) return ['a library or framework that others build on'];
  if (agent.robots_only) return ['never sent in a User-Agent'];
  return agent.signature_only ? ["sends a browser's User-Agent; told by its signature"] : [];
}

const methodsOf = ({ verification }: AgentListItem): string[] =>
  methodsOfAgent(verification).map((method) => METHODS[method]);

function originOf({ origin, feed, is_edited: isEdited }: AgentListItem): string {
  if (origin === 'own') return 'own';
  const from = feed === undefined ? 'bundled' : `feed ${feed.name}${feed.gone_at === null ? '' : ', gone from it'}`;
  return isEdited ? `${from}, edited` : from;
}
